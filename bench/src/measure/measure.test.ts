import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { median } from './median.ts'
import { cpuMicroseconds, residentMib } from './process-cpu.ts'

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('a median of nothing is refused', () => {
  expect(() => median([])).toThrow('at least one value')
})

test('the CPU and the memory of another process are read while it works', async () => {
  const busy = spawn(process.execPath, ['-e', 'console.log("up"); for (;;) Math.random()'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(busy.stdout, 'data')
    const pid = busy.pid ?? 0
    const before = cpuMicroseconds(pid)
    await expect.poll(() => cpuMicroseconds(pid) - before, { timeout: 20_000 }).toBeGreaterThan(50_000)
    expect(residentMib(pid)).toBeGreaterThan(10)
  } finally {
    busy.kill('SIGKILL')
  }
})
