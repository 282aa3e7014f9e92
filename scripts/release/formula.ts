// The Homebrew formula, for our own tap.

import { assetUrl, license, repository, shortDescription, version } from './project.ts'
import { slug, type Target } from './targets.ts'

/** An archive for Homebrew: the .tar.gz of a target. */
export interface Source {
  readonly target: Target
  readonly file: string
  readonly sha256: string
}

/** The text of footlight.rb. Homebrew on Linux has glibc, and Windows has none: other archives are left out. */
export function formula(sources: readonly Source[]): string {
  const systems = [systemBlock('macos', 'darwin', sources), systemBlock('linux', 'linux', sources)].filter(
    Boolean,
  )
  return `class Footlight < Formula
  desc "${shortDescription}"
  homepage "${repository}"
  version "${version}"
  license "${license}"

${systems.join('\n')}
  def install
    bin.install "footlight"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/footlight --version").strip
  end
end
`
}

function systemBlock(name: string, platform: Target['platform'], sources: readonly Source[]): string {
  const block = (cpu: string, arch: Target['arch']): string => {
    const source = sources.find(({ target }) => slug(target) === `${platform}-${arch}`)
    if (!source) return ''
    return `    on_${cpu} do
      url "${assetUrl(source.file)}"
      sha256 "${source.sha256}"
    end
`
  }
  const blocks = block('arm', 'arm64') + block('intel', 'x64')
  return blocks && `  on_${name} do\n${blocks}  end\n`
}
