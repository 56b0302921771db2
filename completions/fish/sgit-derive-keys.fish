# fish completion for sgit-derive-keys
complete -c sgit-derive-keys -f
complete -c sgit-derive-keys -l all -d 'print every key and name that follows'
complete -c sgit-derive-keys -l json -d 'print them all as one JSON object'
complete -c sgit-derive-keys -l key-file -r -F -d 'read the key from this file'
complete -c sgit-derive-keys -l key-fd -x -d 'read the key from this descriptor'
complete -c sgit-derive-keys -l insecure-key-file -d 'take a key file that others can read'
complete -c sgit-derive-keys -s h -d 'print this help'
complete -c sgit-derive-keys -l help -d 'open the manual'
complete -c sgit-derive-keys -l version -d 'print the version'
