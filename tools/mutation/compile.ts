import { dirname, resolve } from 'node:path'
import ts from 'typescript'
import type { Mutant } from './mutants.ts'

/** The program of a workspace, read from its sources: packages of ours are entered by their front doors. */
export function programOf(workspace: string): ts.Program {
  const { options, fileNames } = settingsOf(workspace)
  return ts.createProgram(fileNames, options)
}

/** What was tried so far, and the ids of what was refused. */
type Done = (tried: Iterable<Mutant>, refused: ReadonlySet<number>) => void

/** How many copies one program holds: memory against the cost of a new checker. */
const batch = 400

/**
 * Finds the mutants that the compiler refuses: they need no test. Each is checked as a copy of its file beside the
 * original; copies share one program, so a mutant costs the check of its own file only. Tells `done` after each batch.
 */
export function refusedByCompiler(workspace: string, root: string, mutants: readonly Mutant[], done: Done): void {
  const { options } = settingsOf(workspace)
  const host = ts.createCompilerHost(options)
  const read = new Map<string, ts.SourceFile | undefined>()
  const refused = new Set<number>()
  for (let at = 0; at < mutants.length; at += batch) {
    const copies = new Map(mutants.slice(at, at + batch).map((mutant) => [copyName(root, mutant), mutant]))
    const program = ts.createProgram([...copies.keys()], options, {
      ...host,
      fileExists: (name) => copies.has(name) || host.fileExists(name),
      getSourceFile(name, version) {
        const mutant = copies.get(name)
        if (mutant !== undefined) return ts.createSourceFile(name, textOf(root, mutant), version, true)
        if (!read.has(name)) read.set(name, host.getSourceFile(name, version))
        return read.get(name)
      },
    })
    for (const [name, { id }] of copies) {
      const file = program.getSourceFile(name)
      if (file !== undefined && isRefused(program, file)) refused.add(id)
    }
    done(copies.values(), refused)
  }
}

function isRefused(program: ts.Program, file: ts.SourceFile): boolean {
  return program.getSyntacticDiagnostics(file).length > 0 || program.getSemanticDiagnostics(file).length > 0
}

function textOf(root: string, { file, start, end, now, isStatement }: Mutant): string {
  const text = ts.sys.readFile(`${root}/${file}`) ?? ''
  return text.slice(0, start) + (isStatement ? now : `(${now})`) + text.slice(end)
}

function copyName(root: string, { file, id }: Mutant): string {
  return `${root}/${file.replace(/\.ts$/, `.mutant-${String(id)}.ts`)}`
}

type Settings = { readonly options: ts.CompilerOptions; readonly fileNames: readonly string[] }

function settingsOf(workspace: string): Settings {
  const path = resolve(workspace, 'tsconfig.json')
  // Any, as it is declared.
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as { config: unknown }
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path))
  // What is unused after a change does not matter; the references are read as sources.
  const own: ts.CompilerOptions = {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    composite: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
  }
  delete own.tsBuildInfoFile
  delete own.rootDir
  return { options: own, fileNames }
}
