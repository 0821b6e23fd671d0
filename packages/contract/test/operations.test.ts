import * as Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import {
  errorCatalogue,
  errorsOf,
  limits,
  openApiDocument,
  operation,
  operations,
  pathFields,
  type Operation,
} from '../src/index.ts'

const all = Object.entries<Operation>(operations)

type TextSchema = { readonly type: 'string'; readonly minLength?: number; readonly description?: string }

/** Every text in a schema, wherever it is. */
function* textsIn(schema: unknown): Generator<TextSchema> {
  if (typeof schema !== 'object' || schema === null) return
  if (Reflect.get(schema, 'type') === 'string')
    yield schema as TextSchema // by its type
  else for (const inside of Object.values(schema)) yield* textsIn(inside)
}

describe('an operation is data', () => {
  test.each(all)('%s refuses fields it does not name', (_name, { input }) => {
    expect(input).toMatchObject({ type: 'object', additionalProperties: false })
  })

  test.each(all)('%s finds every path placeholder and header field among its input', (_name, { input, rest }) => {
    const fields = Object.keys(input.properties)
    for (const binding of rest) {
      for (const field of [...pathFields(binding.path), ...Object.keys(binding.headers ?? {})])
        expect(fields).toContain(field)
      for (const field of pathFields(binding.path)) expect(input.required ?? []).toContain(field)
    }
  })

  test.each(all)('%s refuses a text that shows nothing wherever one must not be empty', (_name, { input }) => {
    for (const schema of textsIn(input))
      if ((schema.minLength ?? 0) > 0)
        for (const sign of [' ', '\u200b', '\u2800', '\u3164', '\u{e0041}'])
          expect(Check(schema, sign.repeat(Math.max(4, schema.minLength ?? 0))), schema.description).toBe(false)
  })

  test('no two operations answer the same method and path', () => {
    const routes = all.flatMap(([, { rest }]) =>
      rest.map(({ method, path }) => `${method} ${path.replaceAll(/\{[a-z_]+\}/g, '{}')}`),
    )
    expect(new Set(routes).size).toBe(routes.length)
  })

  test.each(all.filter(([, { rest }]) => rest.some(({ method }) => method !== 'GET')))(
    '%s is a mutation, so it must be signed, carry the admin key or a session, or be the sign-in itself',
    (name, { access }) => {
      if (name === 'auth.sessionChallenge' || name === 'auth.openSession' || name === 'agents.exchangeKey')
        expect(access).toEqual({ by: 'anyone' })
      else if (access.by !== 'admin' && access.by !== 'session')
        expect(access).toMatchObject({ by: 'wallet', unsigned: 401 })
    },
  )

  test.each(
    all.flatMap(([name, definition]) =>
      definition.rest
        .filter(({ method }) => method !== 'GET' && definition.access.by !== 'anyone')
        .map((binding) => [`${name} ${binding.method}`, definition, binding] as const),
    ),
  )('%s takes an idempotency key and says so', (_name, definition, binding) => {
    const { paths } = openApiDocument({ serverUrl: 'http://localhost', version: '0' }) as {
      paths: Record<string, Record<string, { parameters: { name: string; in: string; schema: unknown }[] }>>
    } // the document's own shape
    const keys = paths[binding.path]?.[binding.method.toLowerCase()]?.parameters.filter(
      (one) => one.in === 'header' && one.name === 'X-Idempotency-Key',
    )
    expect(keys).toMatchObject([{ schema: { minLength: 1, maxLength: 128 } }])
    expect(errorsOf(definition)).toEqual(expect.arrayContaining(['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_FLIGHT']))
  })

  test.each(all)(
    '%s says how a resend is answered, if it changes anything',
    (_name, { access, input, rest, resend }) => {
      const isChange = rest.some(({ method }) => method !== 'GET')
      expect(resend !== undefined).toBe(isChange)
      expect(resend === 'unkeyed').toBe(isChange && access.by === 'anyone')
      expect(resend === 'kept').toBe('idempotency_key' in input.properties)
    },
  )

  test('a change that does not say so does not compile', () => {
    const change = { section: 's', summary: '', access: { by: 'admin' }, success: 200, errors: [] } as const
    const shapes = { input: Type.Object({}), output: Type.Object({}) }
    // @ts-expect-error nothing says how a resend is answered
    operation({ ...change, ...shapes, rest: [{ method: 'POST', path: '/things' }] })
    // @ts-expect-error a read has nothing to answer again
    operation({ ...change, ...shapes, resend: 'again', rest: [{ method: 'GET', path: '/things' }] })
    expect(operation({ ...change, ...shapes, resend: 'again', rest: [] }).resend).toBe('again')
  })

  test('what spends the publish budget', () => {
    expect(all.filter(([, { spends }]) => spends === 'publish').map(([name]) => name)).toEqual([
      'tasks.publish',
      'listings.create',
      'listings.order',
      'h2a.publish',
      'h2a.order',
      'streams.start',
    ])
  })

  test('every error code is answered by an operation, or by the routing itself', () => {
    const used = new Set(all.flatMap(([, definition]) => errorsOf(definition)))
    const byRouting = [
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'FEATURE_DISABLED',
      'UPLOAD_NOT_ALLOWED',
      'UPLOAD_TYPE_REFUSED',
      'INVALID_API_KEY',
      'HOST_NOT_ALLOWED',
      'invalid_token',
      'insufficient_scope',
    ]
    expect(
      Object.keys(errorCatalogue).filter(
        (code) => !used.has(code as keyof typeof errorCatalogue) && !byRouting.includes(code),
      ),
    ).toEqual([])
  })
})

describe('the create request of a task (spec §2)', () => {
  const publish = Compile(operations['tasks.publish'].input)
  const valid = {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bounty_usd: 1,
    evidence_required: ['photo'],
  }

  test('the specification fields are enough', () => {
    expect(
      publish.Check({
        ...valid,
        deadline_hours: 24,
        evidence_optional: ['gps'],
        location_hint: 'Old town',
        min_reputation: 10,
        network: 'base',
        payment_network: 'base',
        target_executor_type: 'human',
      }),
    ).toBe(true)
  })

  test.each([
    ['an unknown field', { bounty: 1 }],
    ['description instead of instructions', { description: 'x'.repeat(30) }],
    ['a category outside the list', { category: 'gardening' }],
    ['a deadline of 0 hours', { deadline_hours: 0 }],
    ['a deadline of 721 hours', { deadline_hours: 721 }],
    ['a deadline of half an hour', { deadline_hours: 0.5 }],
    ['no evidence at all', { evidence_required: [] }],
    ['evidence named twice', { evidence_required: ['photo', 'photo'] }],
    ['a target outside any, human, agent, robot', { target_executor_type: 'cat' }],
    ['a bounty as text', { bounty_usd: '1' }],
    ['a title of 4 characters', { title: 'Gate' }],
    ['an uppercase network', { network: 'Base' }],
  ])('%s is refused', (_what, change) => {
    expect(publish.Check({ ...valid, ...change })).toBe(false)
  })

  test('an application carries a cover note under 500 characters', () => {
    const apply = Compile(operations['tasks.apply'].input)
    const task_id = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(apply.Check({ task_id, message: 'x'.repeat(limits.coverNoteMax) })).toBe(true)
    expect(apply.Check({ task_id, message: 'x'.repeat(500) })).toBe(false)
  })
})

describe('the OpenAPI document', () => {
  const document = openApiDocument({ serverUrl: 'http://localhost', version: '0.1.0' })

  test('is OpenAPI 3.1 and names every route of every operation', () => {
    expect(document['openapi']).toBe('3.1.0')
    const paths = document['paths'] as Record<string, Record<string, unknown>>
    for (const [, { rest }] of all)
      for (const { method, path } of rest) expect(paths[path]?.[method.toLowerCase()]).toBeDefined()
  })

  test('gives every operation id once', () => {
    const ids = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>).flatMap(
      (item) => Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})
