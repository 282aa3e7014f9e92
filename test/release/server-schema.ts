// What the published schema of server.json asks of the parts that we use, and the registry's own rules. Written by hand from
// docs/reference/server-json in github.com/modelcontextprotocol/registry (version 2025-12-11): the schema is not copied here.

import * as v from 'valibot'

const https = v.pipe(v.string(), v.url(), v.startsWith('https://'))
const exact = v.pipe(
  v.string(),
  v.maxLength(255),
  v.regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'one version, no range'),
)
const transport = v.strictObject({ type: v.literal('stdio') })
const input = {
  description: v.optional(v.string()),
  default: v.optional(v.string()),
  choices: v.optional(v.array(v.string())),
  format: v.optional(v.picklist(['string', 'number', 'boolean', 'filepath'])),
  isRequired: v.optional(v.boolean()),
  isSecret: v.optional(v.boolean()),
}

const npm = v.strictObject({
  registryType: v.literal('npm'),
  identifier: v.pipe(v.string(), v.regex(/^(@[a-z0-9-]+\/)?[a-z0-9.-]+$/)),
  version: exact,
  transport,
  environmentVariables: v.optional(v.array(v.strictObject({ name: v.string(), ...input }))),
})

const mcpb = v.strictObject({
  registryType: v.literal('mcpb'),
  // The registry wants a release of GitHub or GitLab with "mcp" in its address.
  identifier: v.pipe(https, v.regex(/^https:\/\/github\.com\/.*\/releases\/download\/.*mcp/)),
  version: exact,
  fileSha256: v.pipe(v.string(), v.regex(/^[a-f0-9]{64}$/)),
  transport,
})

export const serverSchema = v.strictObject({
  $schema: v.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: v.pipe(
    v.string(),
    v.minLength(3),
    v.maxLength(200),
    v.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    v.startsWith('io.github.'),
  ),
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  version: exact,
  repository: v.strictObject({ url: https, source: v.literal('github') }),
  websiteUrl: https,
  packages: v.pipe(v.array(v.variant('registryType', [npm, mcpb])), v.minLength(1)),
})
