#!/bin/bash
# What of the Multi-Process Service works on this machine? Run once, in the first GPU call:
#     bash .probe/mps_probe.sh
# At most 60 s. Each step has a time limit; what is refused is printed, nothing stops the script. The daemon has its own
# folders and is ended by the trap, always. Compute mode, clocks and MIG are never touched.
set -u
OUT=${OUT:-$(mktemp -d)}
ROOT=$(pwd)
W=$(mktemp -d)
export CUDA_MPS_PIPE_DIRECTORY=$OUT/p CUDA_MPS_LOG_DIRECTORY=$OUT/l
mkdir -p "$CUDA_MPS_PIPE_DIRECTORY" "$CUDA_MPS_LOG_DIRECTORY"
say() { printf '\n== %s (at %s s)\n' "$*" "$SECONDS"; }
late() { [ "$SECONDS" -gt "$1" ] && echo "left out: no time" && return 0; return 1; }
ours() {  # the processes of MPS whose environment names our folders
  for d in /proc/[0-9]*; do
    case $(cat "$d/comm" 2>/dev/null) in nvidia-cuda-mps*)
      tr '\0' '\n' <"$d/environ" 2>/dev/null | grep -qE "^CUDA_MPS_PIPE_DIRECTORY=($OUT|$W)" && echo "${d#/proc/}";;
    esac
  done
}
end() {
  pkill -P "$WATCH" 2>/dev/null; kill "$WATCH" 2>/dev/null
  touch "$W/stop"
  for dir in "$OUT/p" "$W/p2" "$W/p3"; do
    [ -e "$dir/control" ] && echo quit | CUDA_MPS_PIPE_DIRECTORY=$dir timeout 4 nvidia-cuda-mps-control 2>&1
  done
  sleep 0.3
  for p in $(ours); do echo "still there, ended by its id: $p $(cat /proc/$p/comm)"; kill -9 "$p"; done
  rm -rf "$W"
}
trap end EXIT
trap 'exit 1' INT TERM HUP
( exec >/dev/null 2>&1; sleep 58; kill -TERM $$ ) & WATCH=$!

say machine
nvidia-smi --query-gpu=name,driver_version,compute_mode,mig.mode.current --format=csv,noheader
nvidia-smi compute-policy --list 2>&1 | head -8
command -v nvidia-cuda-mps-control nvidia-cuda-mps-server || echo "no MPS programs on PATH"
echo "cores $(nproc), files $(ulimit -n), user $(id -u), OUT has ${#OUT} characters"

cat >"$W/p.cu" <<'CU'
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <unistd.h>
#include <vector>
__device__ unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__global__ void stamp(unsigned long long* s, unsigned ns) {
    unsigned sm; asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    auto b = now(); while (now() - b < ns) {} 
    s[3 * blockIdx.x] = b; s[3 * blockIdx.x + 1] = now(); s[3 * blockIdx.x + 2] = sm; }
__global__ void fault(int* p) { *p = 1; }
static double t0() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
#define SAY(call) { cudaError_t e = (call); std::printf("%s: %s -> %d %s\n", who, #call, int(e), cudaGetErrorName(e)); std::fflush(stdout); }
int main(int c, char** v) {
    const char* mode = v[1]; const char* who = c > 2 ? v[2] : mode; const char* stop = c > 3 ? v[3] : "";
    double b = t0();
    cudaError_t e = cudaFree(nullptr);
    double made = t0() - b;
    if (!strcmp(mode, "hold")) {
        std::printf("context %d %s\n", int(e), cudaGetErrorName(e)); std::fflush(stdout);
        for (int i = 0; i < 300 && access(stop, F_OK); ++i) usleep(30000);
        if (c > 4) SAY(cudaDeviceSynchronize());
        return 0;
    }
    if (e) { std::printf("%s: no context: %d %s\n", who, int(e), cudaGetErrorName(e)); return 1; }
    int sms = 0, mps = 0; cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0); cudaDeviceGetAttribute(&mps, cudaDevAttrMpsEnabled, 0);
    unsigned long long* s; size_t f, t;
    if (!strcmp(mode, "info")) {
        cudaMemGetInfo(&f, &t); cudaMalloc(&s, 4096 * 24);
        stamp<<<2048, 32>>>(s, 20000); SAY(cudaDeviceSynchronize());
        std::vector<unsigned long long> h(3 * 2048); cudaMemcpy(h.data(), s, 2048 * 24, cudaMemcpyDefault);
        std::set<int> set; for (int i = 0; i < 2048; ++i) set.insert(int(h[3 * i + 2]));
        std::printf("%s: MpsEnabled %d, SM count %d, SMs seen %zu (%d to %d), free %zu of %zu MiB, context %.0f ms\n", who, mps, sms, set.size(), *set.begin(), *set.rbegin(), f >> 20, t >> 20, made * 1e3);
    }
    if (!strcmp(mode, "stamps")) {  // 8 blocks of 50 us, 200 times
        cudaMalloc(&s, 200 * 8 * 24); stamp<<<8, 32>>>(s, 1000); cudaDeviceSynchronize();
        while (access(stop, F_OK)) usleep(200);
        for (int i = 0; i < 200; ++i) stamp<<<8, 32>>>(s + 24 * i, 50000);
        SAY(cudaDeviceSynchronize());
        std::vector<unsigned long long> h(200 * 24); cudaMemcpy(h.data(), s, h.size() * 8, cudaMemcpyDefault);
        FILE* o = std::fopen(who, "w"); for (size_t i = 0; i < h.size(); i += 3) std::fprintf(o, "%llu %llu %llu\n", h[i], h[i + 1], h[i + 2]); std::fclose(o);
    }
    if (!strcmp(mode, "alloc")) {
        cudaMemGetInfo(&f, &t); std::printf("free %zu of %zu MiB\n", f >> 20, t >> 20);
        int n = 0; void* p; while (n < 12 && !(e = cudaMalloc(&p, 256 << 20))) ++n;
        std::printf("%d allocations of 256 MiB, then %d %s\n", n, int(e), cudaGetErrorName(e)); cudaGetLastError();
        cudaMemGetInfo(&f, &t); std::printf("free %zu of %zu MiB\n", f >> 20, t >> 20);
        SAY(cudaMallocManaged(&p, 64 << 20)); SAY(cudaMallocAsync(&p, 64 << 20, 0));
    }
    if (!strcmp(mode, "share")) {  // kernels of 4,224 blocks of 20 us ended in 300 ms
        cudaMalloc(&s, 4224 * 24); stamp<<<8, 32>>>(s, 1000); cudaDeviceSynchronize();
        while (access(stop, F_OK)) usleep(200);
        int n = 0; for (b = t0(); t0() - b < 0.3; ++n) { stamp<<<4224, 1024>>>(s, 20000); cudaDeviceSynchronize(); }
        std::printf("%s: %d kernels\n", who, n);
    }
    if (!strcmp(mode, "victim") || !strcmp(mode, "fault")) {
        cudaMalloc(&s, 24 * 8); stamp<<<8, 32>>>(s, 1000); SAY(cudaDeviceSynchronize());
        if (!strcmp(mode, "fault")) { fault<<<1, 1>>>((int*)16); SAY(cudaDeviceSynchronize()); SAY(cudaFree(nullptr)); return 0; }
        if (!strcmp(who, "idle")) sleep(2);
        int n = 0; for (b = t0(); t0() - b < 2.2; ++n) { stamp<<<8, 32>>>(s, 100000); if ((e = cudaDeviceSynchronize())) break; }
        std::printf("%s: %d kernels, %.2f s, %d %s\n", who, n, t0() - b, int(e), cudaGetErrorName(e));
        SAY(cudaGetLastError()); SAY(cudaDeviceReset()); SAY(cudaFree(nullptr));
    }
}
CU
cat >"$W/overlap.py" <<'PY'
import sys
spans = [[tuple(map(int, line.split()))[:2] for line in open(f)] for f in sys.argv[1:]]
long = [sum(e - b > 75000 for b, e in s) for s in spans]
events = sorted((t, d, i) for i, s in enumerate(spans) for b, e in s if e - b <= 75000 for t, d in ((b, 1), (e, -1)))
on = [0] * len(spans); last = 0; one = two = 0
for t, d, i in events:
    busy = sum(map(bool, on))
    one += (t - last) * (busy > 0); two += (t - last) * (busy > 1)
    on[i] += d; last = t
print(f"shared by two or more: {two / max(one, 1):.3f} of the busy time; blocks over 75 us: {long} of {[len(s) for s in spans]}")
PY
say compile
nvcc -std=c++17 -arch=sm_90 "$W/p.cu" -o "$W/p" || exit 1
P="timeout 12 $W/p"
overlap() {
  rm -f "$W/go" "$W/a" "$W/b"
  $P stamps "$W/a" "$W/go" >/dev/null & A=$!
  $P stamps "$W/b" "$W/go" >/dev/null & B=$!
  sleep 1.5; touch "$W/go"; wait $A $B; python3 "$W/overlap.py" "$W/a" "$W/b"
}

say without MPS
$P info alone
overlap

command -v nvidia-cuda-mps-control >/dev/null || exit 0
say start the daemon
timeout 5 nvidia-cuda-mps-control -d >"$W/said" 2>&1; echo "status $?: $(cat "$W/said")"
ask() { echo "$*" | timeout 5 nvidia-cuda-mps-control 2>&1; }
ls -la "$OUT/p"
echo "servers before the first client: [$(ask get_server_list)]"
$P info first
S=$(ask get_server_list | head -1); echo "server [$S]"
ask get_server_status "$S"
CUDA_MPS_PIPE_DIRECTORY=/nonexistent $P info "a folder without a daemon" | grep Mps
overlap
tail -5 "$OUT/l/control.log" "$OUT/l/server.log"

say client list, ps, nvidia-smi
rm -f "$W/stop1"; $P hold x "$W/stop1" sync & H=$!; sleep 0.7
ask get_client_list "$S"; ask ps; nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv,noheader
nvidia-smi | grep -i mps
echo "terminate_client: $(ask terminate_client "$S" "$H")"; touch "$W/stop1"; wait $H

say active-thread percentage
for p in 1 10 25 33 50 66 75 100; do CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=$p $P info "$p %" | grep Mps; done
ask set_default_active_thread_percentage 50; ask get_default_active_thread_percentage; ask set_active_thread_percentage "$S" 40; ask get_active_thread_percentage "$S"
$P info "server at 40 %" | grep Mps; ask set_active_thread_percentage "$S" 100; $P info "server at 100 %" | grep Mps

say memory limit
CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=1G $P alloc
ask get_default_device_pinned_mem_limit 0

say priorities: normal, below normal
rm -f "$W/go"
$P share normal "$W/go" & A=$!
CUDA_MPS_CLIENT_PRIORITY=1 $P share below "$W/go" & B=$!
sleep 1; touch "$W/go"; wait $A $B

say client limit
limit() {  # connections, clients
  rm -f "$W/stop2"; local ids=()
  for i in $(seq "$2"); do env ${1:+CUDA_DEVICE_MAX_CONNECTIONS=$1} timeout 12 "$W/p" hold x "$W/stop2" >"$W/c$i" 2>&1 & ids+=($!); done
  for i in $(seq 40); do [ "$(cat "$W"/c[0-9]* | grep -c context)" -ge "$2" ] && break; sleep 0.2; done
  echo "connections ${1:-default}: $(cat "$W"/c[0-9]* | sort | uniq -c | tr '\n' ';')"
  nvidia-smi --query-gpu=memory.used --format=csv,noheader
  touch "$W/stop2"; wait "${ids[@]}"; rm -f "$W"/c[0-9]*
}
late 34 || limit "" 64
late 38 || limit 8 32
late 40 || limit 2 64

say a second daemon beside the first
export P2=$W/p2; mkdir -p "$P2" "$W/l2"
CUDA_MPS_PIPE_DIRECTORY=$P2 CUDA_MPS_LOG_DIRECTORY=$W/l2 timeout 5 nvidia-cuda-mps-control -d >"$W/said" 2>&1; echo "status $?: $(cat "$W/said")"
CUDA_MPS_PIPE_DIRECTORY=$P2 $P victim other >"$W/other" 2>&1 & O=$!

say a fault: one busy client, one idle, one of the second daemon
$P victim busy & A=$!
$P victim idle & B=$!
sleep 0.8; $P fault fault & F=$!; wait $F; sleep 0.2
$P info "new client, others still there"
ask get_server_status "$(ask get_server_list | head -1)"
wait $A $B $O; cat "$W/other"
$P info "new client, others gone" || { sleep 1; $P info "new client, a second later"; }
echo "server [$(ask get_server_list)], was [$S]"
tail -6 "$OUT/l/server.log"

say the daemon in the foreground, killed: does its server end
late 52 || {
  mkdir -p "$W/p3" "$W/l3"; ( export CUDA_MPS_PIPE_DIRECTORY=$W/p3 CUDA_MPS_LOG_DIRECTORY=$W/l3; exec nvidia-cuda-mps-control -f ) >/dev/null 2>&1 & D=$!
  sleep 0.5; CUDA_MPS_PIPE_DIRECTORY=$W/p3 $P info foreground | grep Mps; kill -9 $D; sleep 0.5; echo "left: $(ours | wc -l) of MPS (two daemons with two servers are 4)"
}

say the script of the lab
[ -f "$ROOT/programs/labs/mps/with_mps.py" ] && { late 53 || timeout 10 python3 "$ROOT/programs/labs/mps/with_mps.py" "$W/p" info with_mps; echo "status $?"; }

say the end
time ask quit; sleep 0.5; echo "left: $(ours | wc -l)"; ls "$OUT/p"
