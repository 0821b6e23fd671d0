import { startNodeService } from '../node-service.ts'
import type { NodeService } from '../node-service.ts'
import { facilitatorService, serverService } from './services.ts'
import type { ServiceSurroundings } from './services.ts'

export type ServiceName = 'server' | 'facilitator'

/** The running services; each name means one process at a time. */
export type ServiceSet = {
  start(name: ServiceName): Promise<void>
  find(name: ServiceName): NodeService | undefined
  /** Kills with SIGKILL and starts again with the same settings. */
  restart(name: ServiceName): Promise<void>
  stop(name: ServiceName): Promise<void>
}

/** `ended` hears of a service that ended though nobody asked for it. */
export function createServiceSet(around: ServiceSurroundings, ended: (name: ServiceName) => void): ServiceSet {
  const running = new Map<ServiceName, NodeService>()
  const start = async (name: ServiceName): Promise<void> => {
    const service = await startNodeService(name === 'server' ? serverService(around) : facilitatorService(around))
    running.set(name, service)
    void service.ended.then(() => {
      if (running.get(name) === service) ended(name)
    })
  }
  /** Takes the service out first, so that its end is an expected one. */
  const take = (name: ServiceName): NodeService | undefined => {
    const service = running.get(name)
    running.delete(name)
    return service
  }
  return {
    start,
    find: (name) => running.get(name),
    restart: async (name) => {
      await take(name)?.kill()
      await start(name)
    },
    stop: async (name) => {
      await take(name)?.stop()
    },
  }
}
