import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createTally, type AttackClass } from './attack-class.ts'
import { attackClasses } from './classes/index.ts'
import { doors } from './classes/doors.ts'
import { neighbours } from './classes/neighbours.ts'
import { productionStart } from './classes/production-start.ts'
import { signatures } from './classes/signatures.ts'
import { readAttackOptions } from './options.ts'
import { linesOf } from './report.ts'
import { isHeld, jsonOf, runAttack } from './run-attack.ts'
import type { Target } from './target.ts'

/** A service without a rule: it lets in whoever comes. */
async function startWeakService(answer: RequestListener): Promise<AsyncDisposable & { readonly target: Target }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const target: Target = {
    url,
    facilitatorUrl: url,
    rpcUrl: url,
    chainId: 31_337,
    adminKey: 'open sesame',
    dataDir: '/nowhere',
    logs: { server: '/nowhere/server.log' },
    pids: { server: process.pid, facilitator: process.pid },
    silence: undefined,
    rows: () => Promise.resolve([]),
    rpc: (method) => Promise.resolve(method === 'eth_blockNumber' ? '0x0' : null),
  }
  return {
    target,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

const settings = [
  ['rates.anonymous_per_minute', 60],
  ['rates.wallet_per_minute', 600],
  ['rates.publish_per_hour', 100],
].map(([key, value]) => ({ key, value }))
const letsIn: RequestListener = (_request, response) => {
  response
    .writeHead(201, { 'set-cookie': 'sid=1', 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 'one', message: 'sign this', settings }))
}

test.each([[doors], [signatures], [neighbours]])(
  '$name: what a service without rules lets through is counted and named',
  async (one) => {
    await using weak = await startWeakService(letsIn)
    const { classes } = await runAttack({ target: weak.target, classes: [one], isOwn: true })
    const [report] = classes
    expect(report?.tried).toBeGreaterThan(10)
    expect(report?.stopped).toBeLessThan(report?.tried ?? 0)
    expect(report?.through.length).toBeGreaterThan(0)
  },
)

test('a class that dies, does not end or tries nothing counts as one that got through', async () => {
  const of = (name: string, attack: AttackClass['attack']): AttackClass => ({ name, held: '', on: 'any', attack })
  const classes = [
    of('dies', () => Promise.reject(new Error('the service is gone'))),
    of('tries nothing', () => Promise.resolve(createTally().score())),
    of('does not end', () => new Promise(() => undefined)),
  ]
  await using weak = await startWeakService(letsIn)
  const report = await runAttack({ target: weak.target, classes, isOwn: true, until: performance.now() + 1_000 })
  expect(report.classes.map(({ name, tried, stopped, through }) => [name, tried, stopped, through])).toEqual([
    ['dies', 1, 0, ['the service is gone']],
    ['tries nothing', 1, 0, ['nothing was tried']],
    ['does not end', 1, 0, ['it did not end in time']],
  ])
  expect(isHeld(report)).toBe(false)
  expect(linesOf(report).join('\n')).toContain('got through: dies: the service is gone')
})

test('everything stopped is what the program calls held, and its last line says how much that was', async () => {
  const stopped: AttackClass = {
    name: 'one',
    held: 'a rule',
    on: 'any',
    attack: async () => {
      const tally = createTally()
      tally.many('three', 3, 0)
      return tally.score()
    },
  }
  const through: AttackClass = {
    ...stopped,
    name: 'two',
    attack: async () => {
      const tally = createTally()
      tally.many('three', 3, 1)
      tally.attempt('a fourth', true)
      return tally.score()
    },
  }
  await using weak = await startWeakService(letsIn)
  const run = (classes: readonly AttackClass[]) => runAttack({ target: weak.target, classes, isOwn: true })
  expect(isHeld(await run([stopped]))).toBe(true)
  const both = await run([stopped, through])
  expect(isHeld(both)).toBe(false)
  expect(jsonOf(both)).toEqual({
    tried: 7,
    stopped: 6,
    classes: [
      { name: 'one', tried: 3, stopped: 3 },
      { name: 'two', tried: 4, stopped: 3 },
    ],
  })
})

test('an instance that another party started is spared what needs settings of its own, and is told', async () => {
  const own: AttackClass = { name: 'own', held: '', on: 'own', attack: () => Promise.reject(new Error('was run')) }
  await using weak = await startWeakService(letsIn)
  const report = await runAttack({ target: weak.target, classes: [own], isOwn: false })
  expect([report.classes, report.notTried, isHeld(report)]).toEqual([[], ['own'], false])
})

test('each class has a name and says what holds it', () => {
  expect(new Set(attackClasses.map(({ name }) => name)).size).toBe(attackClasses.length)
  expect(attackClasses.filter(({ held }) => held === '')).toEqual([])
  expect(attackClasses).toContain(productionStart)
})

test('the options of the command are read, and what it does not know is refused', () => {
  expect(readAttackOptions(['--only', 'doors,gas', '--running', '.ergon', '--json'])).toEqual({
    only: ['doors', 'gas'],
    running: '.ergon',
    json: true,
    help: false,
  })
  expect(() => readAttackOptions(['--count', '3'])).toThrow()
  expect(() => readAttackOptions(['stray'])).toThrow()
})
