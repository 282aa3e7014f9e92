/** What the name of a saved state may be. It is a file name on every system. */
export const STATE_NAME_RULE = '1 to 64 letters, digits, - and _, and . inside'

// Names of devices are no file names on Windows, whatever follows them.
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

export const isStateName = (name: string): boolean =>
  /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !DEVICE_NAME.test(name)
