import type { OperationsClient } from '@ergon/sdk'
import { idOfDevice, keepId, keyOfDevice, subscribeDevice } from './this-device.ts'

/**
 * Where the operator's key is another one than this device was subscribed under, or the browser dropped what it had,
 * the service posts in vain: the device is subscribed anew, with what its person chose. Whom the service does not list
 * has turned it off elsewhere, or is another person.
 */
export async function renewNotices(market: OperationsClient): Promise<void> {
  const { public_key: publicKey, subscriptions } = await market.push.list({})
  const known = subscriptions.find(({ subscription_id: id }) => id === idOfDevice())
  if (known === undefined || (await keyOfDevice()) === publicKey) return
  const { kinds, language, subscription_id: former } = known
  const made = await market.push.subscribe({ ...(await subscribeDevice(publicKey)), kinds, language })
  keepId(made.subscription_id)
  if (made.subscription_id !== former) await market.push.remove({ subscription_id: former })
}
