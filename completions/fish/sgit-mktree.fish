# fish completion for sgit-mktree
complete -c sgit-mktree -f
complete -c sgit-mktree -l missing -d 'take entries whose objects are not there'
complete -c sgit-mktree -s z -d 'end records with NUL and quote nothing'
complete -c sgit-mktree -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-mktree -l key-file -r -F -d 'read the key from this file'
complete -c sgit-mktree -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-mktree -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-mktree -s h -d 'print this help'
complete -c sgit-mktree -l help -d 'open the manual'
complete -c sgit-mktree -l version -d 'print the version'
