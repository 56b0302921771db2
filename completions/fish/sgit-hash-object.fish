# fish completion for sgit-hash-object
complete -c sgit-hash-object -f
complete -c sgit-hash-object -s w -d 'store the objects'
complete -c sgit-hash-object -s t -x -a 'blob tree commit tag' -d 'what the plaintext is: blob, tree, commit or tag'
complete -c sgit-hash-object -s z -d 'end records with NUL and quote nothing'
complete -c sgit-hash-object -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-hash-object -l key-file -r -F -d 'read the key from this file'
complete -c sgit-hash-object -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-hash-object -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-hash-object -l stdin -d 'take the plaintext on standard input first'
complete -c sgit-hash-object -l stdin-paths -d 'read the names of files from standard input'
complete -c sgit-hash-object -F
complete -c sgit-hash-object -s h -d 'print this help'
complete -c sgit-hash-object -l help -d 'open the manual'
complete -c sgit-hash-object -l version -d 'print the version'
