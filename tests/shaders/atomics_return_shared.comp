#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint outTicket, outLock, outLast, outTotal; uint seen[64]; };
shared uint ticket, lock, last, total;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0u) { ticket = outTicket; lock = outLock; last = outLast; total = outTotal; }
  barrier();
  uint t = atomicAdd(ticket, 1u);
  atomicAdd(seen[t], t + 1u);                     // each ticket goes to one lane
  if (atomicCompSwap(lock, 0u, i + 1u) == 0u) atomicAdd(total, 1000000u); // one lane wins
  atomicAdd(total, atomicExchange(last, i));      // all that was ever there, save the last
  barrier();
  if (i == 0u) {
    atomicAdd(total, last);
    lock = lock >= 1u && lock <= 64u ? 1u : 0u;
    last = 0u;
  }
  barrier();
  if (i == 0u) { outTicket = ticket; outLock = lock; outLast = last; outTotal = total; }
}
