/** Width and height in pixels of a PNG or JPEG, read from its header; 0 × 0 for anything else. */
export function readImageSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > 24 && view.getUint32(0) === 0x89504e47) {
    return { width: view.getUint32(16), height: view.getUint32(20) }
  }
  // A JPEG is a sequence of segments; one with a marker of SOF0…SOF15 (except DHT, JPG, DAC) has the size.
  for (let at = 2; at + 9 < bytes.length && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrameHeader) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
  return { width: 0, height: 0 }
}
