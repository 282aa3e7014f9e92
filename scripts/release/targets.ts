// What is built and released: one executable for each of these. build.ts compiles them, release.ts packs them.

export interface Target {
  /** As Bun names it. */
  readonly bun:
    | `bun-${'linux-x64' | 'linux-arm64'}${'' | '-musl'}`
    | 'bun-darwin-x64'
    | 'bun-darwin-arm64'
    | 'bun-windows-x64'
  /** As Node names it in process.platform, and npm in package.json. */
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly arch: 'x64' | 'arm64'
  readonly libc?: 'glibc' | 'musl'
}

export const targets: readonly Target[] = [
  { bun: 'bun-linux-x64', platform: 'linux', arch: 'x64', libc: 'glibc' },
  { bun: 'bun-linux-arm64', platform: 'linux', arch: 'arm64', libc: 'glibc' },
  { bun: 'bun-linux-x64-musl', platform: 'linux', arch: 'x64', libc: 'musl' },
  { bun: 'bun-linux-arm64-musl', platform: 'linux', arch: 'arm64', libc: 'musl' },
  { bun: 'bun-darwin-x64', platform: 'darwin', arch: 'x64' },
  { bun: 'bun-darwin-arm64', platform: 'darwin', arch: 'arm64' },
  { bun: 'bun-windows-x64', platform: 'win32', arch: 'x64' },
]

/** linux-x64-musl, windows-x64 and so on: how files are named. */
export const slug = ({ bun }: Target): string => bun.slice('bun-'.length)

/** The executable's own name. */
export const program = ({ platform }: Target): string =>
  platform === 'win32' ? 'footlight.exe' : 'footlight'

/** The file that build.ts --all writes for it. */
export const builtName = (target: Target): string =>
  `footlight-${slug(target)}${target.platform === 'win32' ? '.exe' : ''}`

/** The target that this process could run, if there is one. */
export function hostTarget(platform: string, arch: string, musl: boolean): Target | undefined {
  return targets.find(
    (target) =>
      target.platform === platform &&
      target.arch === arch &&
      (target.libc === undefined || (target.libc === 'musl') === musl),
  )
}
