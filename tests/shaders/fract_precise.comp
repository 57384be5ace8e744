#version 450
layout(local_size_x=1) in;
layout(binding=0) buffer A { float a[4]; };
layout(binding=1) buffer B { float b[4]; };
void main() {
  precise float r0 = a[0] - floor(a[0]); b[0] = r0;
  precise float r1 = ceil(a[1]) - a[1]; b[1] = r1;
  precise float r2 = floor(a[2]) - a[2]; b[2] = r2;
  precise float r3 = -floor(a[3]) + a[3]; b[3] = r3;
}
