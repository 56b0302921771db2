# fish completion for sgit-branch-index
complete -c sgit-branch-index -f
complete -c sgit-branch-index -l branch -x -d 'show only this branch'
complete -c sgit-branch-index -l json -d 'print JSON'
complete -c sgit-branch-index -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-branch-index -l key-file -r -F -d 'read the key from this file'
complete -c sgit-branch-index -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-branch-index -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-branch-index -s h -d 'print this help'
complete -c sgit-branch-index -l help -d 'open the manual'
complete -c sgit-branch-index -l version -d 'print the version'
