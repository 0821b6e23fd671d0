import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const door = new URL('../src/index.ts', import.meta.url).href
const talkative = (options: object, length: number): string => `
  const { openLog } = await import(${JSON.stringify(door)})
  const log = openLog('talker', ${JSON.stringify({ level: 'info', ...options })})
  for (let line = 0; line < 20; line += 1) {
    log.warn('x'.repeat(${String(length)}))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  process.exit(7)`
const run = (script: string, stdout: number | 'pipe') =>
  spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', stdout, 'inherit'] })

const kinds = [{ inBatches: true }, { inBatches: false }]

test.runIf(existsSync('/dev/full')).each(kinds)(
  'a full disk loses lines of the log, not the process: %o',
  async (options) => {
    const child = run(talkative(options, 5_000), openSync('/dev/full', 'w'))
    expect(await once(child, 'exit')).toEqual([7, null])
  },
)

test.each(kinds)('what is written just before the end is read: %o', async (options) => {
  const child = run(talkative(options, 500), 'pipe')
  const [text] = await Promise.all([child.stdout?.setEncoding('utf8').toArray(), once(child, 'exit')])
  const lines = (text ?? []).join('').trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { readonly service: string }).service)).toEqual(
    Array.from({ length: 20 }, () => 'talker'),
  )
})

test('of an error the log has its words and codes, and not the connection that it came by', async () => {
  const child = run(
    `const { openLog } = await import(${JSON.stringify(door)})
    await using log = openLog('talker', { level: 'warn' })
    const cause = new Error('the line is gone')
    const error = Object.assign(new Error('it ended', { cause }), { code: '57P01', client: { texts: [] } })
    log.warn({ err: error }, 'a database connection ended')`,
    'pipe',
  )
  const [text] = await Promise.all([child.stdout?.setEncoding('utf8').toArray(), once(child, 'exit')])
  const { err } = JSON.parse((text ?? []).join('')) as { readonly err: Readonly<Record<string, unknown>> }
  expect(err).toMatchObject({ type: 'Error', message: 'it ended: the line is gone', code: '57P01' })
  expect(String(err['stack'])).toContain('caused by: Error: the line is gone')
  expect(Object.keys(err)).not.toContain('client')
})
