import { residentMib } from './process-cpu.ts'

const everyMs = 200

/** The most memory a process holds while it is watched; short peaks between two looks are missed. */
export function watchMemory(pid: number): Disposable & { peakMib(): number } {
  let peak = residentMib(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid))
  }, everyMs)
  return {
    peakMib: () => peak,
    [Symbol.dispose]() {
      clearInterval(timer)
    },
  }
}
