import { defineMessages } from '../../../lib/messages.ts'

export const auditMessages = defineMessages({
  en: {
    title: 'Audit log', lead: 'Everything that was done with the admin key, the latest first. Nothing is ever taken out of it.',
    filter: 'About', filterHelp: 'A task, a wallet, a dispute, an asset as network:token, or the key of a setting; whole, as the log says it.', show: 'Show', all: 'Show everything', found: '{n, plural, =0 {No lines} one {One line} other {# lines}}', foundOf: '{n, plural, =0 {No lines} one {One line} other {# lines}} about {subject}',
    none: 'Nothing was done with the admin key yet.', noneOf: 'Nothing was done to this.', noneHelp: 'What you change in the settings, force on a task, ban or sweep stands here, with who did it and why.', beyond: 'The log ends before this page.', latest: 'To the latest',
    list: 'Lines of the log', by: 'by {actor}', reason: 'Reason', request: 'Request', onlyThis: 'Only this', nothing: 'nothing', asDeployed: 'as deployed', from: '{name}: {before} → {after}', was: '{name}: {before} before', is: '{name}: {after}',
    'action.task.force': 'Task forced', 'action.wallet.ban': 'Wallet banned', 'action.wallet.unban': 'Ban lifted', 'action.fees.sweep': 'Fees swept', 'action.config.set': 'Setting changed', 'action.dispute.resolve': 'Dispute decided', pages: 'Lines {first} to {last} of {total}',
  },
  es: {
    title: 'Registro', lead: 'Todo lo que se ha hecho con la clave de administración, lo último primero. Nunca se quita nada.',
    filter: 'Sobre', filterHelp: 'Una tarea, una cartera, una disputa, una moneda como red:moneda o la clave de un ajuste; entero, como lo dice el registro.', show: 'Mostrar', all: 'Mostrar todo', found: '{n, plural, =0 {Ninguna línea} one {Una línea} other {# líneas}}', foundOf: '{n, plural, =0 {Ninguna línea} one {Una línea} other {# líneas}} sobre {subject}',
    none: 'Aún no se ha hecho nada con la clave de administración.', noneOf: 'A esto no se le ha hecho nada.', noneHelp: 'Lo que cambies en los ajustes, fuerces en una tarea, vetes o recojas queda aquí, con quién lo hizo y por qué.', beyond: 'El registro termina antes de esta página.', latest: 'A lo último',
    list: 'Líneas del registro', by: 'por {actor}', reason: 'Motivo', request: 'Petición', onlyThis: 'Solo esto', nothing: 'nada', asDeployed: 'lo del despliegue', from: '{name}: {before} → {after}', was: '{name}: antes {before}', is: '{name}: {after}',
    'action.task.force': 'Tarea forzada', 'action.wallet.ban': 'Cartera vetada', 'action.wallet.unban': 'Veto levantado', 'action.fees.sweep': 'Comisiones recogidas', 'action.config.set': 'Ajuste cambiado', 'action.dispute.resolve': 'Disputa resuelta', pages: 'Líneas {first} a {last} de {total}',
  },
})
