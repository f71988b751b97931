import Alpine from 'alpinejs'

document.getElementById('app').innerHTML = `<div x-data="todo" x-init="window.state = state">
  <h1>todos</h1><input aria-label="New todo" x-model="fresh" @keyup.enter="add">
  <ul><template x-for="item in shown" :key="item.id"><li :class="item.done && 'done'" @mouseenter="hovered = item.id" @mouseleave="hovered = null">
    <input type="checkbox" class="toggle" aria-label="Done" x-model="item.done">
    <template x-if="editing === item.id"><input aria-label="Edit todo" x-init="$nextTick(() => $el.focus())" x-model="draft" @blur="leave(item, true)" @keydown.enter="leave(item, true)" @keydown.escape="leave(item, false)"></template>
    <template x-if="editing !== item.id"><span class="text" x-text="item.text" @dblclick="editing = item.id; draft = item.text"></span></template>
    <button class="delete" x-show="hovered === item.id" @click="remove(item)">Delete</button>
  </li></template></ul>
  <label>Show <select x-model="state.filter"><option value="all">All</option><option value="active">Active</option><option value="completed">Completed</option></select></label>
  <label>Upper <input x-model="state.upper" @input="state.upper = $event.target.value.toUpperCase()"></label>
  <label>Letters <input :value="state.letters" @input="refuse"></label>
  <label>Note <input x-model.lazy="state.note"></label>
  <form @submit.prevent="send"><label>Your name <input name="who" x-model="who"></label><button>Send</button></form>
</div>`

Alpine.data('todo', () => ({
  state: { items: [], filter: 'all', upper: '', letters: '', note: '', sent: [] },
  fresh: '',
  who: '',
  hovered: null,
  editing: null,
  draft: '',
  get shown() {
    const { items, filter } = this.state
    return items.filter(item => filter === 'all' || item.done === (filter === 'completed'))
  },
  add() {
    const text = this.fresh.trim()
    if (text) this.state.items.push({ id: this.state.items.length, text, done: false })
    this.fresh = ''
  },
  remove(item) {
    this.state.items = this.state.items.filter(other => other.id !== item.id)
  },
  leave(item, keep) {
    if (this.editing !== item.id) return
    this.editing = null
    if (keep) item.text = this.draft
  },
  refuse(event) {
    if (/\d/.test(event.target.value)) event.target.value = this.state.letters
    else this.state.letters = event.target.value
  },
  send() {
    this.state.sent.push(this.who)
    this.who = ''
  },
}))
Alpine.start()
