import { ask, type Asked } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { newCaller } from '../caller.ts'
import { cpuOfProcess } from '../costs.ts'
import { isServed } from '../market.ts'

/** As large as a body may be. */
const mostBytes = 1_048_576
/**
 * What receiving, checking the signature of and refusing one body may take of the server, other work of the moment
 * included.
 */
const mostCpuMs = 250
const attempts = 4

const filled = (unit: string, room: number): string => unit.repeat(Math.floor(room / unit.length))
const listed = (item: (index: number) => string, room: number): string => {
  const items: string[] = []
  for (let left = room, index = 0; left > item(index).length + 1; index += 1) {
    items.push(item(index))
    left -= item(index).length + 1
  }
  return items.join(',')
}

/** Texts of JSON values that fill a room. */
const values: readonly (readonly [string, (room: number) => string])[] = [
  ['nesting', (room) => `${filled('[', room / 2)}${filled(']', room / 2)}`],
  ['nesting that is cut off', (room) => filled('{"a":', room)],
  ['many keys', (room) => `{${listed((index) => `"k${index.toString(36)}":0`, room - 2)}}`],
  ['many objects', (room) => `[${listed(() => '{}', room - 2)}]`],
  ['equal items', (room) => `[${listed(() => '"task.created"', room - 2)}]`],
  ['items that differ', (room) => `[${listed((index) => `"a${index.toString(36)}"`, room - 2)}]`],
  ['escapes', (room) => `"${filled('\\u0061', room - 2)}"`],
  ['digits', (room) => filled('9', room)],
  ['marks', (room) => `"${filled('e\u0301', room / 2)}"`],
]

/** Where bodies go, with the place of the hostile value. */
const places: readonly (readonly [string, (text: string) => string])[] = [
  ['/api/v1/webhooks', (text) => `{"url":"https://example.com/","events":${text}}`],
  ['/api/v1/tasks', (text) => `{"title":"Photograph the gate","evidence_required":${text}}`],
  ['/api/v1/workers/register', (text) => `{"skills":${text}}`],
  ['/a2a', (text) => `{"jsonrpc":"2.0","id":1,"method":"message/send","params":${text}}`],
  [
    '/mcp/',
    (text) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"em_publish_task","arguments":${text}}}`,
  ],
]

/** Bodies that fit and are dear to read. */
export const hostileBodies: AttackClass = {
  name: 'hostile bodies',
  on: 'any',
  goesOn: true,
  held: 'bodies of 1 MiB, 32 levels, checks that end at the first fault',
  async attack(target) {
    const tally = createTally()
    const caller = newCaller(target)
    for (const [path, wrap] of places) {
      for (const [what, make] of values) {
        const body = wrap(make(mostBytes - wrap('').length - 64))
        let ms = Infinity
        let status = 0
        for (let attempt = 0; attempt < attempts && ms > mostCpuMs; attempt += 1) {
          const request: Asked = await caller.prepare('POST', path, body, {
            headers: { accept: 'application/json, text/event-stream' },
          })
          const before = cpuOfProcess(target.pids.server)
          status = (await ask(target.url, request)).status
          ms = Math.min(ms, cpuOfProcess(target.pids.server) - before)
        }
        tally.attempt(
          `${what} at ${path}: ${String(status)} after ${String(ms)} ms of CPU`,
          ms <= mostCpuMs && status < 500,
        )
      }
    }
    tally.attempt('nobody is served afterwards', await isServed(target))
    return tally.score()
  },
}
