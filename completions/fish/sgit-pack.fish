# fish completion for sgit-pack
complete -c sgit-pack -f
complete -c sgit-pack -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-pack -l key-file -r -F -d 'read the key from this file'
complete -c sgit-pack -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-pack -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-pack -s o -l output -r -F -d 'write this file, verified, in place of the one there; - for standard output'
complete -c sgit-pack -l lock -r -F -d 'add the locks in this file, a line each; - for standard input'
complete -c sgit-pack -l header-from -r -F -d 'carry over the locks of this vault file'
complete -c sgit-pack -l serial -x -d 'the serial; otherwise one more than the greatest that was read'
complete -c sgit-pack -s h -d 'print this help'
complete -c sgit-pack -l help -d 'open the manual'
complete -c sgit-pack -l version -d 'print the version'
