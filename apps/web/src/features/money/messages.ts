import { defineMessages } from '../../lib/messages.ts'

export const moneyMessages = defineMessages({
  en: {
    title: 'Spending', lead: 'A receipt for each task that you put money into.', signedOut: 'Here are the receipts of the tasks you pay for.', tasks: 'My tasks', publish: 'Publish a task',
    totals: 'Totals', spent: 'Spent', payouts: 'To workers', fees: 'Fees', held: 'Locked in escrow', returned: 'Back with you', receipts: 'Receipts', receiptsCount: '{n, plural, =0 {No receipts} one {One receipt} other {# receipts}}',
    from: 'From', until: 'Until', days: 'By the clock of this device.', apply: 'Show', all: 'Show all days', backwards: 'This day is before the first one.',
    none: 'No receipt yet: money moves when a worker is chosen or paid.', noneThen: 'No receipt of these days.', csv: 'Save as CSV', partly: 'Read so far: your {n, plural, one {newest task} other {# newest tasks}}. Totals and the CSV count only these.', reading: 'Reading the receipts …', missing: '{n, plural, one {One receipt} other {# receipts}} could not be read. What follows counts the others only.',
    gross: 'Bounty', payout: 'To the worker', fee: 'Fee', refunded: 'Back with you', network: 'Network', moved: 'Last movement', undated: 'not said', later: 'not paid', lock: 'Lock', release: 'Payment', feeTx: 'Fee', refund: 'Refund', transactions: 'Transactions', noTx: 'no transaction named',
    'state.none': 'Paid directly', 'state.pending_assignment': 'Not locked yet', 'state.authorizing': 'Being locked', 'state.authorized': 'Locked in escrow', 'state.releasing': 'Being paid out', 'state.released': 'Paid', 'state.refunding': 'On its way back', 'state.refunded': 'Back with you',
  },
  es: {
    title: 'Gastos', lead: 'Un recibo por cada tarea en la que has puesto dinero.', signedOut: 'Aquí están los recibos de las tareas que pagas.', tasks: 'Mis tareas', publish: 'Publicar una tarea',
    totals: 'Totales', spent: 'Gastado', payouts: 'A quienes trabajaron', fees: 'Comisiones', held: 'Bloqueado en depósito', returned: 'De vuelta contigo', receipts: 'Recibos', receiptsCount: '{n, plural, =0 {Ningún recibo} one {Un recibo} other {# recibos}}',
    from: 'Desde', until: 'Hasta', days: 'Según el reloj de este dispositivo.', apply: 'Mostrar', all: 'Mostrar todos los días', backwards: 'Este día es anterior al primero.',
    none: 'Todavía no hay recibos: el dinero se mueve al elegir o pagar a quien trabaja.', noneThen: 'No hay recibos de estos días.', csv: 'Guardar como CSV', partly: 'Leídas hasta ahora: {n, plural, one {tu tarea más reciente} other {tus # tareas más recientes}}. Los totales y el CSV solo cuentan estas.', reading: 'Leyendo los recibos…', missing: '{n, plural, one {Un recibo no se ha podido leer} other {# recibos no se han podido leer}}. Lo que sigue solo cuenta los demás.',
    gross: 'Recompensa', payout: 'A quien trabajó', fee: 'Comisión', refunded: 'De vuelta contigo', network: 'Red', moved: 'Último movimiento', undated: 'no consta', later: 'sin pagar', lock: 'Bloqueo', release: 'Pago', feeTx: 'Comisión', refund: 'Devolución', transactions: 'Transacciones', noTx: 'sin transacción indicada',
    'state.none': 'Pago directo', 'state.pending_assignment': 'Aún sin bloquear', 'state.authorizing': 'Bloqueándose', 'state.authorized': 'Bloqueado en depósito', 'state.releasing': 'Pagándose', 'state.released': 'Pagado', 'state.refunding': 'De camino de vuelta', 'state.refunded': 'De vuelta contigo',
  },
})
