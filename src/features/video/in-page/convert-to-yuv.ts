// RGB as the planes of VP8. A browser that converts a canvas itself may use the full range, which the stream cannot say, so that players
// show other colors.

/** The planes Y, U and V (4:2:0) of pixels in RGBA, by BT.601 with the limited range: what every player takes VP8 for. Both sides are even. */
export function convertToYuv(
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> {
  const area = width * height
  const planes = new Uint8ClampedArray(area * 1.5)
  for (let pixel = 0, at = 0; pixel < area; pixel += 1, at += 4) {
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
    planes[pixel] = 16 + 0.256788 * red + 0.504129 * green + 0.097906 * blue
  }
  let [u, v] = [area, area * 1.25]
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      let [red, green, blue] = [0, 0, 0]
      for (const corner of [0, 1, width, width + 1]) {
        const at = (y * width + x + corner) * 4
        red += pixels[at] ?? 0
        green += pixels[at + 1] ?? 0
        blue += pixels[at + 2] ?? 0
      }
      planes[u++] = 128 - 0.037055 * red - 0.072748 * green + 0.109804 * blue
      planes[v++] = 128 + 0.109804 * red - 0.091947 * green - 0.017857 * blue
    }
  return planes
}
