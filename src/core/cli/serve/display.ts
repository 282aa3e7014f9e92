import process from 'node:process'

/** Whether browsers can have windows. */
export function hasDisplay(): boolean {
  const { env, platform } = process
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}
