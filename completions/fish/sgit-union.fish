# fish completion for sgit-union
complete -c sgit-union -f
complete -c sgit-union -l store -x -a '(__fish_complete_directories)' -d 'the store: a bare folder, or one that holds it'
complete -c sgit-union -F
complete -c sgit-union -s h -d 'print this help'
complete -c sgit-union -l help -d 'open the manual'
complete -c sgit-union -l version -d 'print the version'
