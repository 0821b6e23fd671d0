import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Chain } from '../chain/chain.ts'
import { lockDataFolder } from '../data-lock.ts'
import type { NodeService } from '../node-service.ts'
import type { Postgres } from '../postgres/postgres.ts'
import type { Solana } from '../solana/solana.ts'
import { startBase } from './base.ts'
import { dataFolder, defaultDataDir, resetDataFolder } from './data-folder.ts'
import type { DataFolder } from './data-folder.ts'
import { describeConstellation } from './describe.ts'
import type { ConstellationOptions, Part } from './options.ts'
import { choosePorts } from './port-plan.ts'
import { writeRecord } from './record.ts'
import type { ConstellationRecord } from './record.ts'
import { ensureSecrets } from './secrets.ts'
import { createServiceSet } from './service-set.ts'
import type { ServiceName } from './service-set.ts'
import type { ServiceSurroundings } from './services.ts'
import { unwind } from './undo.ts'
import type { Undo } from './undo.ts'
import { startWeb, webFolder } from './web.ts'

export type Constellation = AsyncDisposable & {
  /** What is written to `constellation.json`, as it is now. */
  record(): ConstellationRecord
  readonly postgres: Postgres
  readonly chain: Chain
  /** The local Solana ledger; undefined unless asked for. */
  readonly solana: Solana | undefined
  /** The running process of a service; throws when it was not started. */
  service(name: ServiceName): NodeService
  /** Kills a service with SIGKILL and starts it again with the same settings, for tests of what a crash leaves. */
  restart(name: ServiceName): Promise<void>
  /** Resolves with the name of the first part that ended though nobody stopped it. */
  readonly broken: Promise<Part>
  /** Server, facilitator, then chain and PostgreSQL; safe to call again. */
  stop(): Promise<void>
}

/** Brings everything up, or takes down what it had brought up and throws. */
export async function startConstellation(options: ConstellationOptions = {}): Promise<Constellation> {
  const undo: Undo = []
  try {
    return await bringUp(options, undo)
  } catch (error) {
    await unwind(undo)
    throw error
  }
}

async function bringUp(options: ConstellationOptions, undo: Undo): Promise<Constellation> {
  const startedAt = new Date()
  const folder = await openFolder(options, undo)
  const secrets = ensureSecrets(folder.secrets)
  const plan = await choosePorts(options)
  const built = webFolder(options)
  built.catch(() => undefined) // told below, once the base is up or down
  const { postgres, chain, solana, databases } = await startBase(options, folder, plan, undo)
  const web = await startWeb(await built, { options, plan, rpcUrl: chain.rpcUrl, solana, undo })
  const around: ServiceSurroundings = {
    folder,
    secrets,
    databases,
    ports: plan,
    rpcUrl: chain.rpcUrl,
    solana,
    paymentMode: options.paymentMode ?? 'fase2',
    web,
    env: options.env,
    mains: options.mains,
  }
  const { promise: broken, resolve: reportBroken } = Promise.withResolvers<Part>()
  const services = createServiceSet(around, reportBroken)
  if (options.services !== 'none') {
    // Side by side: the server waits for the facilitator where it needs it. It is the first to be stopped.
    undo.push(() => services.stop('facilitator'))
    undo.push(() => services.stop('server'))
    const started = await Promise.allSettled([services.start('facilitator'), services.start('server')])
    const failed = started.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  void chain.ended.then(() => {
    reportBroken('chain')
  })
  void postgres.ended.then(() => {
    reportBroken('postgres')
  })

  const record = (): ConstellationRecord => describeConstellation({ around, postgres, chain, services, startedAt })
  writeRecord(folder.record, record())
  undo.push(() => {
    rmSync(folder.record, { force: true })
  })
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= unwind(undo)
    return stopped
  }
  return {
    record,
    postgres,
    chain,
    solana,
    broken,
    stop,
    service: (name) => {
      const service = services.find(name)
      if (service === undefined) throw new Error(`the ${name} was not started`)
      return service
    },
    restart: async (name) => {
      await services.restart(name)
      writeRecord(folder.record, record())
    },
    [Symbol.asyncDispose]: stop,
  }
}

async function openFolder(options: ConstellationOptions, undo: Undo): Promise<DataFolder> {
  const isEphemeral = options.ephemeral === true
  const root = isEphemeral ? mkdtempSync(join(tmpdir(), 'ergon-')) : resolve(options.dataDir ?? defaultDataDir)
  const folder = dataFolder(root)
  if (isEphemeral) {
    undo.push(() => {
      resetDataFolder(folder)
      rmSync(root, { recursive: true, force: true })
    })
  }
  const lock = await lockDataFolder(root)
  undo.push(async () => {
    await lock[Symbol.asyncDispose]()
  })
  if (options.reset === true) resetDataFolder(folder)
  for (const path of [folder.server, folder.logs]) mkdirSync(path, { recursive: true, mode: 0o700 })
  return folder
}
