# Source this in the project's folder: puts the nvcc of a CUDA toolkit 13 on the path, be it installed or brought from PyPI.
_lockstep_is_13() { [ -x "$1/nvcc" ] && "$1/nvcc" --version 2>/dev/null | grep -q 'release 13\.'; }
_lockstep_nvcc=$(command -v nvcc || true)
if [ -z "$_lockstep_nvcc" ] || ! _lockstep_is_13 "$(dirname "$_lockstep_nvcc")"; then
  for _lockstep_folder in ${CUDA_PATH:+"$CUDA_PATH/bin"} /usr/local/cuda/bin "$PWD/.cuda/bin"; do
    if _lockstep_is_13 "$_lockstep_folder"; then export PATH="$_lockstep_folder:$PATH"; break; fi
  done
fi
unset -f _lockstep_is_13
unset _lockstep_nvcc _lockstep_folder
