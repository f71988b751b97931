import { createEffect, createSignal, For, Show } from 'solid-js'
import { createStore, unwrap } from 'solid-js/store'
import { render } from 'solid-js/web'

function Todo() {
  const [state, set] = createStore({ items: [], filter: 'all', upper: '', letters: '', note: '', sent: [] })
  createEffect(() => {
    window.state = JSON.parse(JSON.stringify(state))
  })
  const shown = () => state.items.filter(item => state.filter === 'all' || item.done === (state.filter === 'completed'))
  const add = event => {
    const text = event.target.value.trim()
    if (event.keyCode !== 13 || !text) return
    set('items', state.items.length, { text, done: false })
    event.target.value = ''
  }
  const change = (item, to) => set('items', state.items.indexOf(item), to)
  const upper = event => {
    event.target.value = event.target.value.toUpperCase()
    set('upper', event.target.value)
  }
  const letters = event => {
    if (/\d/.test(event.target.value)) event.target.value = state.letters
    else set('letters', event.target.value)
  }
  const send = event => {
    event.preventDefault()
    set('sent', state.sent.length, event.target.who.value)
    event.target.reset()
  }
  return (
    <>
      <h1>todos</h1>
      <input aria-label="New todo" onKeyDown={add} />
      <ul>
        <For each={shown()}>
          {item => (
            <Row
              item={item}
              change={to => change(item, to)}
              remove={() =>
                set(
                  'items',
                  unwrap(state.items).filter(other => other !== unwrap(item)),
                )
              }
            />
          )}
        </For>
      </ul>
      <label>
        Show{' '}
        <select value={state.filter} onChange={event => set('filter', event.target.value)}>
          <option value="all">All</option>
          <option value="active">Active</option>
          <option value="completed">Completed</option>
        </select>
      </label>
      <label>
        Upper <input prop:value={state.upper} onInput={upper} />
      </label>
      <label>
        Letters <input prop:value={state.letters} onInput={letters} />
      </label>
      <label>
        Note <input onChange={event => set('note', event.target.value)} />
      </label>
      <form onSubmit={send}>
        <label>
          Your name <input name="who" />
        </label>
        <button type="submit">Send</button>
      </form>
    </>
  )
}

function Row(props) {
  const [hovered, setHovered] = createSignal(false)
  const [editing, setEditing] = createSignal(false)
  const leave = (event, keep) => {
    if (!editing()) return
    setEditing(false)
    if (keep) props.change({ text: event.target.value })
  }
  const keys = event => {
    if (event.key === 'Enter') leave(event, true)
    if (event.key === 'Escape') leave(event, false)
  }
  return (
    <li class={props.item.done ? 'done' : ''} onMouseEnter={() => setHovered(true)} onMouseLeave={() => setHovered(false)}>
      <input
        type="checkbox"
        class="toggle"
        aria-label="Done"
        checked={props.item.done}
        onChange={event => props.change({ done: event.target.checked })}
      />
      <Show
        when={editing()}
        fallback={
          <span class="text" onDblClick={() => setEditing(true)}>
            {props.item.text}
          </span>
        }
      >
        <input
          aria-label="Edit todo"
          ref={field => queueMicrotask(() => field.focus())}
          value={props.item.text}
          onBlur={event => leave(event, true)}
          onKeyDown={keys}
        />
      </Show>
      <Show when={hovered()}>
        <button type="button" class="delete" onClick={props.remove}>
          Delete
        </button>
      </Show>
    </li>
  )
}

render(() => <Todo />, document.getElementById('app'))
