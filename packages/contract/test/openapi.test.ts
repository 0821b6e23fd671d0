import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { openApiDocument, openApiSections, operations, webhookCatalogue, type Operation } from '../src/index.ts'
import { exampleOf } from '../src/openapi/example-of.ts'
import { fieldWords } from '../src/openapi/field-words.ts'

type Node = { readonly [key: string]: unknown }
type Item = {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Node[]
  readonly responses: Readonly<Record<string, Node>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Item>>>>
  readonly webhooks: Node
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly components: {
    readonly schemas: Node
    readonly responses: Readonly<Record<string, Node>>
    readonly headers: Node
  }
}

const about = { serverUrl: 'https://market.example', version: '0.1.0' }
const documentOf = (section?: string): Document =>
  // The document's own shape.
  openApiDocument({ ...about, ...(section === undefined ? {} : { section }) }) as unknown as Document
const whole = documentOf()
const items = Object.values(whole.paths).flatMap((item) => Object.values(item))
const byId = new Map(items.map((item) => [item.operationId, item]))

const refsIn = (document: unknown): Set<string> =>
  new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/(schemas|responses|headers)\/([^"]+)"/g)].map(
      ([, kind = '', name = '']) => `${kind} ${name}`,
    ),
  )

describe('OpenAPI that generators love', () => {
  test('Task, Submission and the others are named once and referred to everywhere', () => {
    for (const name of [
      'Task',
      'Submission',
      'Application',
      'Worker',
      'Dispute',
      'Listing',
      'Escrow',
      'Webhook',
      'Error',
    ])
      expect(Object.keys(whole.components.schemas)).toContain(name)
    const text = JSON.stringify({ ...whole, components: { ...whole.components, schemas: {} } })
    // A field that only the task record has is nowhere but in the schema of its name.
    expect(text.match(/"target_executor_type":\{/g)).toBeNull()
    expect(JSON.stringify(byId.get('tasks.list'))).toContain('#/components/schemas/TasksListAnswer'.slice(0, 21))
  })

  test.each([undefined, ...openApiSections])(
    'every reference of the document %s leads somewhere, and nothing is left over',
    (section) => {
      const document = documentOf(section)
      const defined = new Set(
        (['schemas', 'responses'] as const).flatMap((kind) =>
          Object.keys(document.components[kind]).map((name) => `${kind} ${name}`),
        ),
      )
      const used = refsIn(document)
      expect([...used].filter((one) => !one.startsWith('headers') && !defined.has(one))).toEqual([])
      expect([...defined].filter((one) => !used.has(one) && one !== 'schemas Error')).toEqual([])
    },
  )

  test('a list of values says their type: of one that does not, many generators make anything at all', () => {
    const untyped: string[] = []
    const look = (one: unknown, at: string): void => {
      if (typeof one !== 'object' || one === null) return
      if ('enum' in one && Array.isArray(one.enum) && !('type' in one)) untyped.push(at)
      for (const [name, inner] of Object.entries(one)) look(inner, `${at}/${name}`)
    }
    look({ schemas: whole.components.schemas, responses: whole.components.responses, items }, '')
    expect(untyped).toEqual([])
  })

  test('fields without a name have no schema beside fields with one: generators put it on those as well', () => {
    const mixed: string[] = []
    const look = (one: unknown, at: string): void => {
      if (typeof one !== 'object' || one === null) return
      const { properties, additionalProperties: rest, patternProperties } = one as Node
      const isSchema = (typeof rest === 'object' && rest !== null) || patternProperties !== undefined
      if (typeof properties === 'object' && isSchema) mixed.push(at)
      for (const [name, inner] of Object.entries(one)) look(inner, `${at}/${name}`)
    }
    look(whole.components.schemas, '')
    expect(mixed).toEqual([])
  })

  test('a field that may be null is told by its own words, whatever fields of that name mean elsewhere', () => {
    const overruled: string[] = []
    const look = (one: unknown, name: string, at: string): void => {
      if (typeof one !== 'object' || one === null) return
      const { anyOf, description } = one as Node
      const members: readonly Node[] = Array.isArray(anyOf) ? anyOf : []
      const own = members.map((member) => member['description']).filter((words) => words !== undefined)
      if (description === fieldWords[name] && own.length === 1 && own[0] !== description) overruled.push(at)
      for (const [key, inner] of Object.entries(one)) look(inner, key, `${at}/${key}`)
    }
    look(whole.components.schemas, '', '')
    expect(overruled).toEqual([])
    expect(JSON.stringify(whole.components.schemas['DisputesRulingAnswer'])).toContain(
      '"split_pct":{"anyOf":[{"type":"integer","description":"The payer\'s share in percent, of a split."},' +
        '{"type":"null"}],"description":"The payer\'s share in percent, of a split."}',
    )
  })

  test('evidence says what each of its types is', () => {
    const { properties } = whole.components.schemas['Evidence'] as { properties: Record<string, object> }
    const unsaid = Object.entries(properties).filter(([, one]) => !('type' in one || '$ref' in one || 'anyOf' in one))
    // Any JSON is taken there.
    expect(unsaid.map(([name]) => name)).toEqual(['json_response'])
  })

  test('operations, parameters and tags say what they are, with an example', () => {
    for (const { operationId, description, tags, parameters } of items) {
      expect([operationId, description.length > 20]).toEqual([operationId, true])
      expect(whole.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]))
      for (const parameter of parameters)
        expect([operationId, parameter['name'], typeof parameter['description']]).toEqual([
          operationId,
          parameter['name'],
          'string',
        ])
    }
    for (const { description } of whole.tags) expect(description).toMatch(/\.$/)
    for (const words of Object.values(fieldWords)) expect(words).toMatch(/\.$/)
  })

  test.each(Object.entries<Operation>(operations))(
    'the examples of %s are what the operation admits',
    (_name, definition) => {
      const { input, output, raw } = definition
      const [sent, answered] = [exampleOf(input), exampleOf(output, '', true)]
      expect(Compile(input).Errors(sent)).toEqual([])
      if (raw !== true) expect(Compile(output).Errors(answered)).toEqual([])
    },
  )

  test('answers name their headers', () => {
    const { headers } = whole.components
    for (const name of [
      'X-Request-Id',
      'RateLimit-Remaining',
      'Retry-After',
      'X-RateLimit-Reset',
      'Idempotent-Replayed',
    ])
      expect(headers).toHaveProperty(name)
    const limited = Object.values(whole.components.responses).filter(({ description }) =>
      String(description).startsWith('RateLimited'),
    )
    for (const answer of limited)
      expect(Object.keys(answer['headers'] as Node)).toEqual(
        expect.arrayContaining(['Retry-After', 'X-RateLimit-Reset']),
      )
    expect(limited.length).toBeGreaterThan(0)
  })

  test('every operation declares what routing and a bad signature answer, and a default', () => {
    for (const { operationId, responses } of items.filter(
      ({ tags }) => tags[0] !== 'disabled' && tags[0] !== 'evidence',
    ))
      expect([operationId, ...Object.keys(responses)]).toEqual(
        expect.arrayContaining(['400', '401', '403', '413', '415', '422', '429', '500', '503', 'default']),
      )
  })

  test('what is streamed is text/event-stream, and files are bytes', () => {
    expect(JSON.stringify(byId.get('events.stream')?.responses['200'])).toContain('"text/event-stream"')
    expect(whole.paths['/api/v1/evidence/files/{key}']).toMatchObject({
      put: { requestBody: { content: { '*/*': { schema: { format: 'binary' } } } } },
      get: { responses: { 200: { content: { '*/*': { schema: { format: 'binary' } } } } } },
    })
  })

  test('webhooks are described as endpoints receive them', () => {
    expect(Object.keys(whole.webhooks).sort()).toEqual(
      webhookCatalogue()
        .map(({ type }) => type)
        .sort(),
    )
  })

  test('a section is a small document of its own, and all of them are the whole', () => {
    const ids = openApiSections.flatMap((section) =>
      Object.values(documentOf(section).paths).flatMap((item) =>
        Object.values(item).map(({ operationId }) => operationId),
      ),
    )
    expect(ids.sort()).toEqual([...byId.keys()].sort())
    const size = (document: unknown): number => JSON.stringify(document).length
    for (const section of openApiSections) expect(size(documentOf(section))).toBeLessThan(size(whole) / 3)
  })
})
