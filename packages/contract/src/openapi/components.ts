import { exampleOf } from './example-of.ts'
import { fieldWords } from './field-words.ts'
import { resources, typed } from './resources.ts'

type Json = Record<string, unknown>

/** The schemas of a document by name. */
export type Components = {
  /** A schema as the document has it: what has a name is referred to. */
  refer(schema: unknown): unknown
  /** Gives a schema a name of its own and refers to it; one that has a name keeps it. */
  named(name: string, schema: unknown): unknown
  /** An answer that many operations share is written once; the others refer to it. */
  shared(answers: Json): Json
  /** Every answer that is shared, by name. */
  answers(): Json
  /** Every schema that was referred to, by name. */
  all(): Json
}

/** Schemas are told apart by their text: a copy that was made optional is the same schema. */
const textOf = (schema: unknown): string => JSON.stringify(schema)
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export function createComponents(): Components {
  const known = new Map(Object.entries(resources).map(([name, schema]) => [textOf(schema), name]))
  const used = new Map<string, unknown>()
  const answers = new Map<string, { readonly name: string; readonly answer: unknown }>()
  const share = (status: string, answer: unknown): Json => {
    const text = textOf(answer)
    const alike = [...answers.values()].filter(({ name }) => name.startsWith(`Error${status}`)).length
    const known = answers.get(text) ?? { name: `Error${status}${alike === 0 ? '' : `No${String(alike + 1)}`}`, answer }
    answers.set(text, known)
    return { $ref: `#/components/responses/${known.name}` }
  }
  const write = (name: string, schema: unknown): Json => {
    if (!used.has(name)) {
      used.set(name, null) // Named before it is walked, so that one inside itself would be found.
      used.set(name, walk(typed[name] ?? schema))
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  const refer = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(refer)
    if (!isRecord(schema)) return schema
    const name = known.get(textOf(schema))
    return name === undefined ? walk(schema) : write(name, schema)
  }
  const walk = (schema: unknown): unknown =>
    isRecord(schema)
      ? Object.fromEntries(
          Object.entries(withType(schema)).map(([key, value]) => [
            key,
            key === 'properties' ? fields(value) : inside(key, value),
          ]),
        )
      : schema
  const inside = (key: string, value: unknown): unknown =>
    key === 'enum' || key === 'required' || key === 'default' || key === 'examples' ? value : refer(value)
  const fields = (properties: unknown): unknown =>
    Object.fromEntries(
      Object.entries(properties as Json).map(([name, one]) => [name, explained(name, refer(one), one)]),
    )
  return {
    refer,
    named: (name, schema) => {
      const own = known.get(textOf(schema))
      return write(own ?? name, schema)
    },
    shared: (byStatus) =>
      Object.fromEntries(Object.entries(byStatus).map(([status, answer]) => [status, share(pascalOf(status), answer)])),
    answers: () => Object.fromEntries([...answers.values()].map(({ name, answer }) => [name, answer])),
    all: () => Object.fromEntries([...used].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/** A list of values says their type: of one that does not, many generators make anything at all. */
export function withType(schema: Json): Json {
  const values = schema['enum']
  if (!Array.isArray(values)) return schema
  if (values.every((one) => typeof one === 'string')) return { type: 'string', ...schema }
  return values.every(Number.isInteger) ? { type: 'integer', ...schema } : schema
}

const pascalOf = (status: string): string => (status === 'default' ? 'Other' : status)

/** A field with its words, and an example where it holds one value. */
export function explained(name: string, written: unknown, schema: unknown): unknown {
  if (!isRecord(written)) return written
  const words = ownWords(written) ?? fieldWords[name]
  const description = words === undefined ? {} : { description: words }
  const isOne = isRecord(schema) && /^(?:string|integer|number)$/.test(String(schema['type'])) && !('enum' in schema)
  return {
    ...written,
    ...description,
    ...(isOne && !('$ref' in written) ? { examples: [exampleOf(schema, name)] } : {}),
  }
}

/** Words of its own; of a field that may be null, those of what it is otherwise. */
function ownWords({ description, anyOf }: Json): unknown {
  if (description !== undefined) return description
  const members: readonly unknown[] = Array.isArray(anyOf) ? anyOf : []
  const told = members.filter((one) => isRecord(one) && one['type'] !== 'null')
  const [only] = told
  return told.length === 1 && isRecord(only) ? only['description'] : undefined
}
