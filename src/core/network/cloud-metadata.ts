// The names by which clouds serve metadata, credentials included. They are refused before they are resolved; what other names lead to
// is refused by address.

const METADATA_HOSTS = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.digitalocean.com',
  'metadata.scaleway.com',
  'metadata.cloud.ibm.com',
  'rancher-metadata',
]

/** Whether a canonical host is one of them, or lies below one. */
export const isMetadataHost = (host: string): boolean =>
  METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))
