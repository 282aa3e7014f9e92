// Describes the type of a JSON schema in a short text.

export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly default?: unknown
  readonly description?: string
}

/** "integer, 1 to 600000", "`a`, `b`", "array of string" and the like. */
export function kindOf(schema: Schema): string {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map(kindOf))].join(' or ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  switch (schema.type) {
    case 'string':
      return `string${limits(schema.minLength, schema.maxLength, ' characters')}${schema.pattern ? ` matching \`${schema.pattern}\`` : ''}`
    case 'integer':
      return `integer${limits(schema.minimum, schema.maximum)}`
    case 'number':
      return `number${limits(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'boolean'
    case 'array':
      return `array of ${kindOf(schema.items ?? {})}${limits(schema.minItems, schema.maxItems, ' items')}`
    case 'object':
      return objectOf(schema)
    default:
      return 'any value'
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const inner = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${kindOf(schema)}`,
  )
  if (inner.length > 0) return `{ ${inner.join('; ')} }`
  return typeof additionalProperties === 'object' ? `object of ${kindOf(additionalProperties)}` : 'object'
}

function limits(minimum: number | undefined, maximum: number | undefined, unit = ''): string {
  if (minimum === 1 && maximum === undefined && unit) return ', not empty'
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}${unit}`
  if (minimum !== undefined) return `, at least ${minimum}${unit}`
  return maximum === undefined ? '' : `, at most ${maximum}${unit}`
}
