# fish completion for sgit-diff-tree
complete -c sgit-diff-tree -f
complete -c sgit-diff-tree -s r -d 'enter folders; show what changed in them instead of them'
complete -c sgit-diff-tree -l name-status -d 'show status and path only'
complete -c sgit-diff-tree -l json -d 'print JSON'
complete -c sgit-diff-tree -s z -d 'end records with NUL and quote nothing'
complete -c sgit-diff-tree -l exit-code -d 'end with 1 if they differ'
complete -c sgit-diff-tree -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-diff-tree -l key-file -r -F -d 'read the key from this file'
complete -c sgit-diff-tree -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-diff-tree -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-diff-tree -s h -d 'print this help'
complete -c sgit-diff-tree -l help -d 'open the manual'
complete -c sgit-diff-tree -l version -d 'print the version'
