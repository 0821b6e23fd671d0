// What the menu and the palette both lead to: the path, its name, and its sign.
export const tiles = [
  ['/my/tasks', 'myTasks', 'clipboard-text'],
  ['/my/services', 'myServices', 'storefront'],
  ['/disputes', 'disputes', 'scales'],
  ['/account', 'account', 'gear'],
] as const
export const around = [
  ['/services', 'services', 'storefront'],
  ['/agents', 'agents', 'robot'],
  ['/leaderboard', 'leaderboard', 'trophy'],
  ['/activity', 'activity', 'pulse'],
] as const
export const forSoftware = [
  ['/developers', 'developers', 'plugs-connected'],
  ['/status', 'status', 'chart-bar'],
] as const
export const mySoftware = [
  ['/account/tools', 'tools', 'wrench'],
  ['/webhooks', 'webhooks', 'paper-plane-tilt-bold'],
] as const
