/** sRGB in the planes of VP8, which have the limited range. */
export const VIDEO_COLORS = {
  primaries: 'bt709',
  transfer: 'iec61966-2-1',
  matrix: 'smpte170m',
  fullRange: false,
} as const
