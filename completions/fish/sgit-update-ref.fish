# fish completion for sgit-update-ref
complete -c sgit-update-ref -f
complete -c sgit-update-ref -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-update-ref -l key-file -r -F -d 'read the key from this file'
complete -c sgit-update-ref -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-update-ref -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-update-ref -l stdin -d 'read commands from standard input: one transaction'
complete -c sgit-update-ref -s z -d 'end records with NUL and quote nothing'
complete -c sgit-update-ref -s h -d 'print this help'
complete -c sgit-update-ref -l help -d 'open the manual'
complete -c sgit-update-ref -l version -d 'print the version'
