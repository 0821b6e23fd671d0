import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowerAddress } from '@ergon/protocols'
import { refundCollectorBytecode } from '../src/testing/index.ts'
import { compileTestContracts } from '../tools/compiler.ts'
import type { TestChain } from './chain.ts'
import { useLocalChain } from './local-chain.ts'
import { bareOperator, zeroAddress } from './payment.ts'
import { localAddresses } from '../src/index.ts'
import { deploymentOf, openMachine } from './contracts-machine.ts'
import { kindsOfTerms, machineSteps, openings, type KindOfTerms } from './machine-steps.ts'

const chainOf = useLocalChain()
const runs = Number(process.env['ERGON_MACHINE_RUNS'] ?? 25)
const budgetMs = 600_000

async function prepare(chain: TestChain) {
  const pocket = lowerAddress(await chain.deploy({ abi: [], bytecode: refundCollectorBytecode }))
  await chain.mint(pocket, 100_000_000n)
  const stores = new Map<string, string>()
  for (const operator of [localAddresses.Operator, bareOperator.address]) {
    // getTokenStore answers one address.
    stores.set(
      lowerAddress(operator),
      lowerAddress((await chain.read('Escrow', 'getTokenStore', [operator])) as `0x${string}`),
    )
  }
  return deploymentOf(pocket, (operator) => stores.get(operator) ?? zeroAddress)
}

const plans = fc.record({
  kinds: fc.tuple(
    fc.constantFrom<KindOfTerms[]>('plain', 'exact fee', 'small'),
    fc.constant<KindOfTerms>('bare operator'),
    fc.constantFrom(...kindsOfTerms),
  ),
  opened: fc.tuple(openings, openings, openings),
  steps: fc.array(machineSteps, { minLength: 4, maxLength: 24, size: 'max' }),
})

test(
  'whatever anybody calls in whatever order: the contracts answer, log, pay and revert as the model says',
  { timeout: budgetMs },
  async () => {
    const chain = chainOf()
    const deployment = await prepare(chain)
    let salt = 0n
    const counted = { sequences: 0, steps: 0, refused: 0 }
    const outcomes = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(plans, async ({ kinds, opened, steps: later }) => {
        salt += 1n
        const steps = [...opened.flatMap((some, payment) => some.map((step) => ({ ...step, payment }))), ...later]
        const machine = await openMachine(chain, deployment, kinds, salt)
        const lines: string[] = []
        try {
          for (const step of steps) {
            const line = await machine.take(step)
            lines.push(line)
            const answer = line.endsWith(' logs') ? 'success' : line.slice(line.lastIndexOf(': ') + 2)
            outcomes.set(`${step.call} ${answer}`, (outcomes.get(`${step.call} ${answer}`) ?? 0) + 1)
            if (answer !== 'success') counted.refused += 1
          }
          await machine.compare()
        } catch (error) {
          throw new Error([...lines, String(error)].join('\n'), { cause: error })
        }
        counted.sequences += 1
        counted.steps += steps.length
      }),
      { numRuns: runs, endOnFailure: false, interruptAfterTimeLimit: budgetMs - 20_000 },
    )
    console.log(
      `${String(counted.sequences)} sequences, ${String(counted.steps)} calls, of which ` +
        `${String(counted.refused)} reverted; ${String(outcomes.size)} different outcomes`,
    )
    if (process.env['ERGON_MACHINE_OUTCOMES'] !== undefined)
      console.log(
        [...outcomes]
          .sort()
          .map(([outcome, times]) => `${outcome}: ${String(times)}`)
          .join('\n'),
      )
    expect(counted.steps).toBeGreaterThan(0)
  },
)

test('the refund collector of the tests is what its source compiles to', async () => {
  const { PocketRefundCollector } = await compileTestContracts()
  expect(refundCollectorBytecode).toBe(PocketRefundCollector?.bytecode)
})
