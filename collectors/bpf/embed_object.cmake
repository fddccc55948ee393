# Writes the compiled program for the kernel as an array of a C++ source file: OBJECT into SOURCE.
file(READ ${OBJECT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${SOURCE} "#include \"collectors/bpf/loss_object.h\"\n
namespace tcpscope {\n
namespace {\n
alignas(8) constexpr unsigned char kObject[] = {${bytes}};\n
}  // namespace\n
std::span<const unsigned char> lossObject() {
  return kObject;
}\n
}  // namespace tcpscope\n")
