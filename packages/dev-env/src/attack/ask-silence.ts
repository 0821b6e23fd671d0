// Loaded before the service by the attack program alone: every name server of this process is one that never answers,
// as if the machine's were cut off.
import { Resolver } from 'node:dns/promises'

const server = process.env['ERGON_SILENT_NAME_SERVER']
const { resolve4, resolve6 } = Resolver.prototype
const turned = new WeakSet<Resolver>()

/** Once for each: a resolver that has been asked something takes no other servers. */
function turn(resolver: Resolver, to: string): Resolver {
  if (!turned.has(resolver)) resolver.setServers([to])
  turned.add(resolver)
  return resolver
}

if (server !== undefined) {
  // The questions have overloads; each is passed on as it came.
  Resolver.prototype.resolve4 = function (this: Resolver, ...asked: readonly unknown[]) {
    return Reflect.apply(resolve4, turn(this, server), asked) as never
  }
  Resolver.prototype.resolve6 = function (this: Resolver, ...asked: readonly unknown[]) {
    return Reflect.apply(resolve6, turn(this, server), asked) as never
  }
}
