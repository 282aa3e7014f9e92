// The fields of a tool as help shows them: name, type and description in columns.

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly description?: string
}

export interface FieldRow {
  readonly name: string
  readonly type: string
  readonly about: string
}

export const fieldsOfSchema = ({
  properties = {},
  required = [],
}: {
  readonly properties?: object | undefined
  readonly required?: readonly string[] | undefined
}): readonly FieldRow[] =>
  Object.entries(properties as Readonly<Record<string, FieldSchema>>).map(([name, schema]) => {
    const type = typeOf(schema)
    const isLong = type.length > TYPE_LIMIT_CHARS
    const notes = [required.includes(name) ? 'required' : '', isLong ? type.replaceAll('|', ', ') : '']
    return {
      name,
      type: isLong ? 'VALUE' : type,
      about: [...notes, schema.description].filter(Boolean).join('; '),
    }
  })

// A longer list of values would push the descriptions out of a terminal.
const TYPE_LIMIT_CHARS = 24

export function tableOfFields(rows: readonly FieldRow[]): readonly string[] {
  const widthOf = (key: 'name' | 'type') => Math.max(...rows.map((row) => row[key].length))
  const [nameWidth, typeWidth] = [widthOf('name'), widthOf('type')]
  return rows.map(({ name, type, about }) =>
    `  ${name.padEnd(nameWidth)}  ${type.padEnd(typeWidth)}  ${about}`.trimEnd(),
  )
}

// --- internal ---

function typeOf({ type, enum: choices, anyOf, items }: FieldSchema): string {
  if (choices) return choices.join('|')
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  return type === 'array' ? `list of ${typeOf(items ?? {})}` : (type ?? 'anything')
}
