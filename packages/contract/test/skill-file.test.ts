import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { errorCatalogue } from '../src/errors.ts'
import { llmsText, skillFile } from '../src/index.ts'
import { exampleOf } from '../src/openapi/example-of.ts'
import { boundTo } from '../src/documents/job/request-text.ts'
import { codeList, ownCodes } from '../src/documents/job/code-list.ts'
import { routes, steps } from '../src/documents/job/routes.ts'
import type { Step } from '../src/documents/job/step.ts'

const about = {
  baseUrl: 'https://a-market-with-a-rather-long-name.example.org',
  version: '0.1.0',
  mcpUrl: 'https://tools.a-market-with-a-rather-long-name.example.org/mcp',
}
const text = skillFile(about)
const brought = ['wallet', 'new_key', 'photo']
const ofOperations = steps.flatMap((step) =>
  'put' in step.request ? [] : [[step.name, step, step.request, boundTo(step.request.operation)] as const],
)
const stepNamed = (name: string): Step | undefined => steps.find((step) => step.name === name)
const namesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value ?? null).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const bound = (step: Step): readonly string[] => [
  ...Object.keys(step.keep ?? {}),
  ...Object.keys(step.sign ?? {}),
  ...(step.build ?? []).map(({ name }) => name),
]

describe('SKILL.md', () => {
  test('a model reads it at once', () => {
    expect(text.length).toBeLessThan(64_000)
    expect(llmsText(about).length).toBeLessThan(15_000)
  })

  test.each(ofOperations)('%s sends what the operation takes', (_name, _step, { give = {} }, { definition }) => {
    const { properties } = definition.input
    const sent = Object.fromEntries(
      Object.entries(give).map(([field, value]) => [
        field,
        typeof value === 'string' && /^\{\w+\}$/.test(value) ? exampleOf(properties[field] ?? {}, field) : value,
      ]),
    )
    expect([...Compile(definition.input).Errors(sent)]).toEqual([])
  })

  test.each(ofOperations)('%s prints every field of the operation', (name, _step, _request, { definition }) => {
    const [, section = ''] = text.split(`### ${name}\n`)
    const [own = ''] = section.split(/^##/m)
    if (own.includes('Fields, answer and codes: as in')) return
    for (const field of Object.keys(definition.input.properties)) expect(own).toContain(`\`${field}\``)
    for (const code of ownCodes(definition)) expect(own).toContain(`\`${code}\``)
  })

  test.each(
    routes.flatMap(({ name, publisher, executor }) => [
      [name, 'publisher', publisher] as const,
      [name, 'executor', executor] as const,
    ]),
  )('on route %s the %s has every value before it is sent', (_route, _side, names) => {
    const known = new Set(brought)
    for (const name of names) {
      const step = stepNamed(name)
      if (step === undefined) throw new Error(`no step ${name}`)
      for (const used of [...namesIn(step.request), ...namesIn(step.checks)])
        expect(known, `${name} uses ${used}`).toContain(used)
      for (const one of bound(step)) known.add(one)
      for (const used of namesIn(step.build)) expect(known, `${name} builds with ${used}`).toContain(used)
    }
  })

  test('a field says where it travels, its type, its words and its bounds', () => {
    for (const line of [
      '- `bounty_usd` (body, required): number (at most 10000).',
      '- `deadline_hours` (body): integer (1 to 720), 24 when left out.',
      '- `category` (body, required): `physical_presence`, `knowledge_access`, `human_authority`, `simple_action`,',
      '- `evidence_required` (body, required): list (1 to 5 items) of `photo`, `photo_geo`, `gps`,',
      '- `target_executor_type` (body): `any`, `human`, `agent`, `robot`.',
      '- `message` (body): text (0 to 499 characters).',
      '- `score` (body, required): integer (0 to 100).',
      '- `limit` (query): integer (1 to 100), 20 when left out.',
    ])
      expect(text).toContain(line)
  })

  test('every step is on a route', () => {
    const walked = new Set(routes.flatMap(({ publisher, executor }) => [...publisher, ...executor]))
    expect(steps.map(({ name }) => name).filter((name) => !walked.has(name))).toEqual([])
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
  })

  test('it says what to do on each code that a step names', () => {
    const listed = codeList(steps).join('\n')
    for (const code of new Set(ofOperations.flatMap(([, , , { definition }]) => ownCodes(definition)))) {
      expect(listed).toContain(`\`${code}\``)
      expect(text).toContain(errorCatalogue[code].recovery)
    }
  })
})
