import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderElsewhere } from '../postgres/rung.ts'

/** Names of what a constellation keeps. Reset removes these and nothing else, whatever folder it is pointed at. */
export type DataFolder = {
  readonly root: string
  readonly postgres: string
  readonly chain: string
  readonly solana: string
  readonly server: string
  readonly logs: string
  readonly secrets: string
  readonly record: string
}

/** The folder of `npm start` when none is named. */
export const defaultDataDir = fileURLToPath(new URL('../../../../.ergon', import.meta.url))

export function dataFolder(root: string): DataFolder {
  return {
    root,
    postgres: join(root, 'postgres'),
    chain: join(root, 'chain'),
    solana: join(root, 'solana'),
    server: join(root, 'server'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    record: join(root, 'constellation.json'),
  }
}

/** The caller holds the folder's lock. */
export function resetDataFolder(folder: DataFolder): void {
  const { postgres, chain, solana, server, logs, secrets, record } = folder
  for (const path of [postgres, folderElsewhere(postgres), chain, solana, server, logs, secrets, record]) {
    rmSync(path, { recursive: true, force: true })
  }
}
