const types =
  'pointerover pointerenter pointerout mouseover mouseenter mouseout mouseleave pointermove mousemove pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu touchstart touchend focus blur focusin focusout keydown keypress keyup beforeinput input change submit cancel close dragstart dragenter dragover drop dragend'

/** Logs the events of all elements to `log` as type@id (the window gains and loses the focus with other pages); `heard('click keydown')` filters and empties the log. */
export const eventLog = `<script>
  var log = []
  for (const type of '${types}'.split(' ')) addEventListener(type, e => e.target === window || log.push(type + '@' + (e.target.id || e.target.nodeName)), true)
  function heard(types = '${types}') { const wanted = types.split(' '); return log.splice(0).filter(each => wanted.includes(each.split('@')[0])).join(' ') }
</script>`
