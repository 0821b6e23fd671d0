import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress } from '../caller.ts'
import { isServed } from '../market.ts'
import { inWaves } from '../waves.ts'

const callers = 400
const error = 50

/** Callers that leave before their body is complete. */
export const abortedConnections: AttackClass = {
  name: 'aborted connections',
  on: 'any',
  goesOn: true,
  held: 'one line at debug, none with a stack',
  async attack(target) {
    const tally = createTally()
    const begins = statSync(target.logs.server).size
    const { hostname, port, host } = new URL(target.url)
    await inWaves(callers, 16, async (index) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: freshAddress() })
      socket.on('error', () => undefined)
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => {
          resolve()
        })
      })
      const length =
        index % 3 === 0
          ? 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"ite\r\nzz\r\n'
          : 'Content-Length: 900\r\n\r\n{"item"'
      socket.write(
        `POST /api/v1/tasks HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${length}`,
        () => {
          setTimeout(() => {
            if (index % 2 === 0) socket.destroy()
            else socket.resetAndDestroy()
          }, index % 5)
        },
      )
      await closed
    })
    await pause(300)
    const lines = readFileSync(target.logs.server)
      .subarray(begins)
      .toString()
      .split('\n')
      .filter((line) => isFault(line))
    tally.many('a caller that left is an error in the log', callers, lines.length)
    tally.attempt('nobody is served afterwards', await isServed(target))
    return tally.score()
  },
}

/** An error, or anything with a stack. */
function isFault(line: string): boolean {
  if (line.includes('"stack"') || /^\s+at /.test(line)) return true
  const level = /"level":(\d+)/.exec(line)?.[1]
  return level !== undefined && Number(level) >= error
}
