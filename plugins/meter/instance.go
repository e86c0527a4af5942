package meter

// The cost of making an instance, before anything of the guest runs. V8 pays most for exports and imports, wazero
// for entries of tables and for pages.
const (
	costPage   = 1_024 // as for memory.grow
	costNames  = 256   // an export, an import
	costPart   = 64    // a global, an element segment, each of its entries
	costData   = 16    // a data segment
	costInline = 16    // bytes of active data segments for one fuel
	costHeld   = 2     // entries a table begins with for one fuel
)

// Instance is the fuel that an instance of the guest costs: its host takes it from the budget before it makes one.
func (o *Outline) Instance() int {
	m := o.m
	cost := costNames*(len(m.exports)+len(m.wanted)) + costPart*(len(m.globals)+len(m.elements)+m.entries)
	cost += costData*m.raw[11].count + m.copied/costInline
	for _, t := range m.tables {
		cost += int(t.least) / costHeld
	}
	if m.memory != nil {
		cost += costPage * int(m.memory.least)
	}
	return cost
}
