// The targets: build.ts compiles an executable for each of them, release.ts packs it.

export interface Target {
  /** Its name in Bun. */
  readonly bun:
    | `bun-${'linux-x64' | 'linux-arm64'}${'' | '-musl'}`
    | 'bun-darwin-x64'
    | 'bun-darwin-arm64'
    | 'bun-windows-x64'
  /** Its name in process.platform of Node, and in package.json of npm. */
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

/** The target in file names: linux-x64-musl, windows-x64 and so on. */
export const slug = ({ bun }: Target): string => bun.slice('bun-'.length)

/** The file name of the executable in a package. */
export const program = ({ platform }: Target): string =>
  platform === 'win32' ? 'footlight.exe' : 'footlight'

/** The file that build.ts --all writes for the target. */
export const builtName = (target: Target): string =>
  `footlight-${slug(target)}${target.platform === 'win32' ? '.exe' : ''}`

/** The target for a platform, if there is one. */
export function hostTarget(platform: string, arch: string, musl: boolean): Target | undefined {
  return targets.find(
    (target) =>
      target.platform === platform &&
      target.arch === arch &&
      (target.libc === undefined || (target.libc === 'musl') === musl),
  )
}
