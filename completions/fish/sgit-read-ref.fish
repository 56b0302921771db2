# fish completion for sgit-read-ref
complete -c sgit-read-ref -f
complete -c sgit-read-ref -l json -d 'print JSON'
complete -c sgit-read-ref -s z -d 'end records with NUL and quote nothing'
complete -c sgit-read-ref -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-read-ref -l key-file -r -F -d 'read the key from this file'
complete -c sgit-read-ref -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-read-ref -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-read-ref -l all -d 'print every ref of the store, and those the index lists'
complete -c sgit-read-ref -s h -d 'print this help'
complete -c sgit-read-ref -l help -d 'open the manual'
complete -c sgit-read-ref -l version -d 'print the version'
