// Host names of the metadata services of clouds, which serve credentials. They are refused before they are resolved; other names are
// refused by their addresses.

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

/** Whether a canonical host is one of these names or a subdomain of one. */
export const isMetadataHost = (host: string): boolean =>
  METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))
