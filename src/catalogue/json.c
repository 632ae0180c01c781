/* SPDX-License-Identifier: Apache-2.0
 * Rows of the catalogue as JSON objects: every column under its own name, unknown ones null. */
#include "catalogue/query.h"

#include <math.h>
#include <string.h>

/* The shortest text that reads back as the same number. */
static json_object *number(double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return json_object_new_double_s(value, text);
}

json_object *catalogue_row_json(enum CatalogueTableId id, const void *row)
{
    json_object *object = json_object_new_object();
    const CatalogueTable *table = &catalogue_tables[id];
    for (int i = 0; i < table->field_count; ++i) {
        const CatalogueField *field = &table->fields[i];
        double value = catalogue_real(field, row);
        const char *text = catalogue_text(field, row);
        json_object *member = NULL;
        if (field->type == CATALOGUE_REAL)
            member = isnan(value) ? NULL : number(value);
        else if (*text)
            member = json_object_new_string(text);
        json_object_object_add(object, field->name, member);
    }
    return object;
}

json_object *catalogue_gpu_json(const Catalogue *c, const CatalogueGpu *gpu)
{
    json_object *object = catalogue_row_json(TABLE_GPU, gpu);
    json_object *streets = json_object_new_array(), *instances = json_object_new_array();
    for (size_t i = 0; i < c->streets.count; ++i)
        if (strcmp(c->streets.items[i].key, gpu->key) == 0)
            json_object_array_add(streets, catalogue_row_json(TABLE_STREET, &c->streets.items[i]));
    for (size_t i = 0; i < c->instances.count; ++i)
        if (c->instances.items[i].gpu == gpu)
            json_object_array_add(instances,
                                  json_object_new_string(c->instances.items[i].row.name));
    json_object_object_add(object, "prices", streets);
    json_object_object_add(object, "instances", instances);
    return object;
}

json_object *catalogue_instance_json(const Catalogue *c, const CatalogueInstance *instance)
{
    json_object *object = catalogue_row_json(TABLE_INSTANCE, &instance->row);
    json_object *prices = json_object_new_array();
    for (int i = 0; i < instance->price_count; ++i) {
        const CataloguePrice *p = &c->prices.items[instance->first_price + i];
        json_object *price = catalogue_row_json(TABLE_PRICE, p), *units = json_object_new_object();
        int day = catalogue_day(p->date);
        json_object_object_del(price, "name");
        json_object_object_add(price, "age_days",
                               day < 0 ? NULL
                                       : json_object_new_int(c->today > day ? c->today - day : 0));
        for (int u = 1; u < UNIT_COUNT; ++u) {
            double value = catalogue_in_unit(instance, p->usd_h, (CatalogueUnit)u);
            json_object_object_add(units, catalogue_units[u].name,
                                   isnan(value) ? NULL : number(value));
        }
        json_object_object_add(price, "units", units);
        json_object_array_add(prices, price);
    }
    json_object_object_add(object, "prices", prices);
    if (instance->gpu) {
        json_object_object_add(object, "gpu_name", json_object_new_string(instance->gpu->name));
        json_object_object_add(object, "cc",
                               isnan(instance->gpu->cc) ? NULL : number(instance->gpu->cc));
    }
    return object;
}
