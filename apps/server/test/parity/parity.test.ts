import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import table from './table.json' with { type: 'json' }
import { normalised } from './normaliser.ts'
import { scenarios } from './scenarios.ts'
import { openParityStage, type ParityStage } from './stage.ts'
import { transportNames, type Answer, type Transport, type TransportName } from './transport.ts'
import { openTransports } from './transports.ts'

/** One operation serves every transport, so each answers a call alike (spec §4, §7). */
let stage: ParityStage
let transports: Readonly<Record<TransportName, Transport>>
beforeAll(async () => {
  stage = await openParityStage()
  transports = openTransports(stage.live.url)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

test('the table that the reference prints is this one', () => {
  expect(table).toEqual(
    scenarios.map(({ name, operation, expected, gaps = [], otherwise = {} }) => ({
      name,
      operation,
      expected,
      gaps,
      otherwise,
    })),
  )
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
})

describe.each(scenarios)('$name: $expected', ({ operation, expected, act, gaps = [], otherwise = {} }) => {
  test('is answered alike by every transport', async () => {
    const offered = transportNames.filter((name) => transports[name].offers(operation))
    expect(transportNames.filter((name) => !offered.includes(name))).toEqual(gaps)
    const answers = new Map<TransportName, Answer>()
    for (const name of offered) {
      const sent = await act(stage)
      const answer = await transports[name].call(operation, sent)
      if (sent.exactly !== undefined) expect([name, answer.body]).toEqual([name, sent.exactly])
      answers.set(name, answer)
    }
    const rest = answers.get('REST')
    for (const [name, { code, body }] of answers) {
      expect([name, code ?? 'ok'], JSON.stringify(body)).toEqual([name, expected])
      if (otherwise[name] === undefined) expect([name, normalised(body)]).toEqual([name, normalised(rest?.body ?? {})])
    }
  })
})
