# fish completion for sgit-verify-commit
complete -c sgit-verify-commit -f
complete -c sgit-verify-commit -l json -d 'print JSON'
complete -c sgit-verify-commit -s z -d 'end records with NUL and quote nothing'
complete -c sgit-verify-commit -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-verify-commit -l key-file -r -F -d 'read the key from this file'
complete -c sgit-verify-commit -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-verify-commit -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-verify-commit -l stdin -d 'read more commits from standard input, one a line'
complete -c sgit-verify-commit -s h -d 'print this help'
complete -c sgit-verify-commit -l help -d 'open the manual'
complete -c sgit-verify-commit -l version -d 'print the version'
