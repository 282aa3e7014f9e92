// The manifests of winget and of Scoop, for the archive of Windows.

import { assetUrl, license, repository, shortDescription, title, version } from './project.ts'

export interface WindowsArchive {
  readonly file: string
  readonly sha256: string
}

/** footlight.json, for a bucket of Scoop. */
export const scoopManifest = ({ file, sha256 }: WindowsArchive): Record<string, unknown> => ({
  version,
  description: shortDescription,
  homepage: repository,
  license,
  architecture: { '64bit': { url: assetUrl(file), hash: sha256 } },
  bin: 'footlight.exe',
  checkver: { github: repository },
  autoupdate: {
    architecture: { '64bit': { url: assetUrl(file).replaceAll(version, '$version') } },
    hash: { url: '$baseurl/SHA256SUMS' },
  },
})

const IDENTIFIER = 'Footlight.Footlight'
const MANIFEST_VERSION = '1.10.0'
const LOCALE = 'en-US'

/** The three files of winget, by name. */
export function wingetManifests({ file, sha256 }: WindowsArchive): Readonly<Record<string, string>> {
  const identity = { PackageIdentifier: IDENTIFIER, PackageVersion: version }
  const manifest = (type: string, fields: object): string =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${MANIFEST_VERSION}.schema.json\n${Bun.YAML.stringify(
      { ...identity, ...fields, ManifestType: type, ManifestVersion: MANIFEST_VERSION },
      undefined,
      2,
    )}\n`
  return {
    [`${IDENTIFIER}.yaml`]: manifest('version', { DefaultLocale: LOCALE }),
    [`${IDENTIFIER}.installer.yaml`]: manifest('installer', {
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: 'footlight.exe', PortableCommandAlias: 'footlight' }],
      Installers: [
        { Architecture: 'x64', InstallerUrl: assetUrl(file), InstallerSha256: sha256.toUpperCase() },
      ],
    }),
    [`${IDENTIFIER}.locale.${LOCALE}.yaml`]: manifest('defaultLocale', {
      PackageLocale: LOCALE,
      Publisher: title,
      PublisherUrl: repository,
      PublisherSupportUrl: `${repository}/issues`,
      PrivacyUrl: `${repository}/blob/main/SECURITY.md#privacy`,
      PackageName: title,
      PackageUrl: repository,
      License: license,
      LicenseUrl: `${repository}/blob/main/LICENSE`,
      ShortDescription: shortDescription,
      Moniker: 'footlight',
      Tags: ['ai', 'browser', 'cli', 'mcp', 'playwright', 'testing'],
    }),
  }
}
