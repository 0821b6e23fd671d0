import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AbiEntry, Artifact, ContractName } from '../src/index.ts'

type CompilerOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { abi: AbiEntry[]; evm: { bytecode: { object: string } } }>>>
  >
}

/** Without a metadata hash the bytes depend on the source's meaning alone, not on its comments or its path. */
const settings = {
  optimizer: { enabled: true, runs: 10_000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
} as const

type Sources = Readonly<Record<string, { readonly content: string }>>

async function readSources(folder: string): Promise<Sources> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sol')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, i) => [name, { content: texts[i] ?? '' }]))
}

async function compile(sources: Sources, viaIR: boolean): Promise<Record<string, Artifact>> {
  // Loaded on demand, because the compiler is 9 MB of code, and typed here, because it is not typed itself.
  const { default: solc } = (await import('solc')) as unknown as { default: { compile: (input: string) => string } }
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { ...settings, viaIR } })
  // The answer has the shape of the Standard JSON format.
  const output = JSON.parse(solc.compile(input)) as CompilerOutput
  const faults = (output.errors ?? []).filter((error) => error.severity !== 'info')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))

  const artifacts: Record<string, Artifact> = {}
  for (const contracts of Object.values(output.contracts ?? {})) {
    for (const [name, contract] of Object.entries(contracts)) {
      if (contract.evm.bytecode.object === '') continue
      artifacts[name] = { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
    }
  }
  return artifacts
}

const folder = join(import.meta.dirname, '..', 'sol')

/** Compiles the contracts of `sol`. Throws the compiler's own messages, warnings included: a warning is a fault. */
export async function compileContracts(): Promise<Record<string, Artifact>> {
  // The intermediate representation is what lets functions with many parameters compile at all.
  return compile(await readSources(folder), true)
}

/** Compiles the hostile contracts of `sol/test`, which stand alone. */
export function compileTestContracts(): Promise<Record<string, Artifact>> {
  compiled.tests ??= readSources(join(folder, 'test')).then((sources) => compile(sources, false))
  return compiled.tests
}

/** The compiler takes many seconds; a process asks it once. */
const compiled: { tests: Promise<Record<string, Artifact>> | undefined } = { tests: undefined }

/** The contracts that are deployed, and the creation code that is sent; the rest of the sources are parts of these. */
export const published = [
  'TestUSD',
  'Escrow',
  'Eip3009Collector',
  'Operator',
  'IdentityRegistry',
  'ReputationRegistry',
  'RatingDelegate',
  'AgentMint',
] as const satisfies readonly (ContractName | 'AgentMint')[]

/** The exact text of an artifact's file. */
export function formatArtifact(artifact: Artifact): string {
  return `${JSON.stringify(artifact, null, 2)}\n`
}
