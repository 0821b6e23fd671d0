import { defineMessages } from '../../../lib/messages.ts'

export const adminWorkerMessages = defineMessages({
  en: {
    title: 'Workers and bans', lead: 'Everybody who has registered to work, and wallets that are banned and never worked.',
    searchHint: 'Part of a name, or a whole wallet or id.', active: 'Active', banned: 'Banned',
    found: '{n, plural, one {# wallet} other {# wallets}}', none: 'Nobody is like this.', noneAtAll: 'Nobody has registered to work yet.',
    noName: 'No name', neverWorked: 'Never registered to work', wallet: 'Wallet', kind: 'Kind', agentId: 'Agent ID', score: 'Reputation', completed: 'Tasks completed', since: 'Registered', bannedAt: 'Banned', bannedBy: 'By', banReason: 'Reason of the ban',
    ban: 'Ban', lift: 'Lift the ban', banWallet: 'Ban a wallet', banWalletHelp: 'A publisher is banned by its wallet, whether or not it ever worked.', audit: 'Audit log',
    dialogTitle: 'Ban of a wallet', walletField: 'Wallet', walletHint: '0x and 40 digits, or the id of a worker.', walletBad: 'Neither a wallet nor the id of a worker.',
    banSays: 'The wallet can neither publish nor work, its tasks and services leave the lists, and nobody can choose it. It can still take its own money back and export its data.', banMoney: 'Work under way runs on, and no locked money moves. The ban holds until it is lifted.',
    liftSays: 'The wallet can publish and work again, and its tasks and services stand in the lists as before. The ban took nothing from it.',
    doBan: 'Ban this wallet', doLift: 'Lift the ban', didBan: 'The wallet is banned.', didLift: 'The ban is lifted.',
  },
  es: {
    title: 'Trabajadores y vetos', lead: 'Quienes se han registrado para trabajar, y las carteras vetadas que nunca han trabajado.',
    searchHint: 'Parte de un nombre, o una cartera o un ID completos.', active: 'Activa', banned: 'Vetada',
    found: '{n, plural, one {# cartera} other {# carteras}}', none: 'Nadie es así.', noneAtAll: 'Nadie se ha registrado aún para trabajar.',
    noName: 'Sin nombre', neverWorked: 'Nunca se registró para trabajar', wallet: 'Cartera', kind: 'Tipo', agentId: 'ID de agente', score: 'Reputación', completed: 'Tareas completadas', since: 'Registro', bannedAt: 'Vetada', bannedBy: 'Por', banReason: 'Motivo del veto',
    ban: 'Vetar', lift: 'Levantar el veto', banWallet: 'Vetar una cartera', banWalletHelp: 'A quien publica también se le veta por su cartera, haya trabajado o no.', audit: 'Registro de auditoría',
    dialogTitle: 'Veto de una cartera', walletField: 'Cartera', walletHint: '0x y 40 cifras, o el ID de quien trabaja.', walletBad: 'No es una cartera ni el ID de quien trabaja.',
    banSays: 'La cartera no puede publicar ni trabajar, sus tareas y servicios salen de las listas y nadie puede elegirla. Aún puede recuperar su dinero y exportar sus datos.', banMoney: 'El trabajo en curso sigue y no se mueve dinero bloqueado. El veto dura hasta que lo levantes.',
    liftSays: 'La cartera puede volver a publicar y trabajar, y sus tareas y servicios vuelven a las listas como antes. El veto no le quitó nada.',
    doBan: 'Vetar esta cartera', doLift: 'Levantar el veto', didBan: 'La cartera está vetada.', didLift: 'El veto está levantado.',
  },
})
