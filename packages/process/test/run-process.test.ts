import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const door = new URL('../src/index.ts', import.meta.url).href
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A process whose work is this text; it says `up` when it waits to be told. */
function start(work: string) {
  const file = join(folder, `${String(Math.random())}.mjs`)
  writeFileSync(
    file,
    `import { runProcess } from ${JSON.stringify(door)}
    class Plain extends Error {}
    const options = { name: 'worker', plain: Plain, leftTo: ' and is left', stopLimitMs: 200 }
    await runProcess(options, async ({ stopRequested, end }) => { ${work} })`,
  )
  const child = fork(file, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const said = child.stderr?.setEncoding('utf8').toArray() ?? []
  const ended = once(child, 'exit').then(async (exit) => ({ exit, said: (await said).join('') }))
  const up = once(child.stdout ?? child, 'data')
  return { child, ended, up }
}
const untilTold = `
  setInterval(() => undefined, 1_000)
  process.stdout.write('up')
  const { told } = await stopRequested`

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends what runs, and the process with it', async (signal) => {
  const { child, ended, up } = start(
    `${untilTold}; await end({ async [Symbol.asyncDispose]() { console.error('ended by', told) } })`,
  )
  await up
  child.kill(signal)
  expect(await ended).toEqual({ exit: [0, null], said: `ended by ${signal}\n` })
})

test('a parent that is gone takes its services with it', async () => {
  const { child, ended, up } = start(`${untilTold}; console.error(told)`)
  await up
  child.disconnect()
  expect(await ended).toEqual({ exit: [0, null], said: 'disconnect\n' })
})

test('what does not end in time is told and left', async () => {
  const { child, ended, up } = start(`${untilTold}; await end({ [Symbol.asyncDispose]: () => new Promise(() => {}) })`)
  await up
  child.kill('SIGTERM')
  expect(await ended).toEqual({
    exit: [0, null],
    said: 'worker: what is under way did not end within 0.2 s and is left\n',
  })
})

test('an error for whoever started it is one line, and any other shows where it came from', async () => {
  expect(await start(`throw new Plain('there is no port')`).ended).toEqual({
    exit: [1, null],
    said: 'worker: there is no port\n',
  })
  const { exit, said } = await start(`throw new TypeError('a mistake')`).ended
  expect(exit).toEqual([1, null])
  expect(said).toMatch(/^worker: TypeError: a mistake\n +at /)
})

test('a reader that went away is no fault of the process', async () => {
  const { child, ended, up } = start(
    `${untilTold}
    for (let line = 0; line < 50; line += 1) {
      console.log('x'.repeat(9_999))
      await new Promise((go) => setTimeout(go, 2))
    }`,
  )
  await up
  child.stdout?.destroy()
  child.kill('SIGTERM')
  expect(await ended).toEqual({ exit: [0, null], said: '' })
})
